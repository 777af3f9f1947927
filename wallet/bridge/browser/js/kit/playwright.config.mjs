import { defineConfig } from '@playwright/test';

const serve = new URL('serve.mjs', import.meta.url).pathname;
const port = process.env.KIT_PORT;
const baseURL = `http://127.0.0.1:${port}`;

export default defineConfig({
  testDir: '.',
  outputDir: process.env.KIT_RESULTS,
  fullyParallel: true,
  workers: 4,
  timeout: 30_000,
  reporter: [['list'], ['json', { outputFile: process.env.KIT_REPORT }]],
  use: {
    baseURL,
    launchOptions: { executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] },
    chainscope: { network: 'testnet', origins: ['https://dapp.example'] },
  },
  webServer: { command: `node ${serve} ${port}`, url: baseURL, reuseExistingServer: false },
});
