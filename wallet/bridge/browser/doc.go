// Package browser plays a dapp that uses the real connection library in a real
// browser against the built binary. It needs node, the npm registry and
// Chromium, hence its build tag.
package browser
