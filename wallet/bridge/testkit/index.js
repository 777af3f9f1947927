// The parts without Playwright: for other runners, and for tests without a browser.
export { findBinary } from './src/binary.js';
export { words } from './src/explain.js';
export { install } from './src/page.js';
export { Session } from './src/session.js';
