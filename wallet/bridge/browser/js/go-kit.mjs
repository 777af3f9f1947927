// Opens a page with the script of the kit for Go, and prints what became of its requests:
// go-kit.mjs CHROMIUM SCRIPT
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { chromium } from 'playwright-core';

const [executablePath, script] = process.argv.slice(2);
const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<title>page</title>'));
await new Promise(listens => { server.listen(0, '127.0.0.1', listens); });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const page = await browser.newPage();
await page.addInitScript({ content: readFileSync(script, 'utf8') });
await page.goto(`http://127.0.0.1:${server.address().port}/`);
const came = await page.evaluate(async () => {
  const json = async url => (await fetch(url)).json();
  const answer = (url, message) => new Promise(done => {
    const socket = new WebSocket(url);
    socket.onopen = () => socket.send(JSON.stringify(message));
    socket.onmessage = ({ data }) => done(JSON.parse(data).id);
    socket.onclose = () => done('closed');
  });
  const xhr = new Promise(done => {
    const request = new XMLHttpRequest();
    request.open('POST', 'https://posted.invalid/x');
    request.onloadend = () => done(request.status);
    request.send('{}');
  });
  return {
    mainnet: (await json('https://api.hiro.so/v2/info')).network_id,
    testnet: (await json('https://api.testnet.hiro.so/v2/info')).network_id,
    stub: await json('https://prices.invalid/v1/stx?in=usd'),
    fetched: (await fetch('https://fetched.invalid/x')).status,
    posted: await xhr,
    allowed: await fetch('https://allowed.invalid/x').catch(() => 'left'),
    pushed: await answer('wss://api.hiro.so/extended/v1/ws', { jsonrpc: '2.0', id: 7, method: 'subscribe', params: { event: 'block' } }),
    socket: await answer('wss://socket.invalid/x', {}),
  };
});
console.log(JSON.stringify(came));
await browser.close();
server.close();
