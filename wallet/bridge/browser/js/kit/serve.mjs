// Serves the small dapp: serve.mjs PORT.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const page = readFileSync(new URL('dapp.html', import.meta.url));
createServer((request, response) => {
  // As strict as a page can be: the wallet must not depend on what it allows.
  response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': "default-src 'none'; script-src 'unsafe-inline'; connect-src https:" });
  response.end(page);
}).listen(Number(process.argv[2]), '127.0.0.1');
