// Serves the dapp: node dev.mjs HOST:PORT.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const page = readFileSync('index.html');
const { hostname, port } = new URL(`http://${process.argv[2]}`);
createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end(page);
}).listen(Number(port), hostname);
