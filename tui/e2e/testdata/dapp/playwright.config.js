export default {
  use: { baseURL: 'http://localhost:5173', launchOptions: { executablePath: process.env.CHROMIUM } },
  webServer: { command: 'npm run dev', url: 'http://localhost:5173' },
};
