// The printed playwright.config.js with the browser and the ports of this machine.
import printed from './playwright.config.js';

export default {
  ...printed,
  use: { ...printed.use, launchOptions: { executablePath: process.env.CHROMIUM } },
  webServer: printed.webServer.map(server => ({ ...server, env: { CHAINSCOPE_ADDR: new URL(server.url).host } })),
};
