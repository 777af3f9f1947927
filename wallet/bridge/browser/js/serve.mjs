// Serves the dapp as its developer would: serve.mjs, prints the address.
import { createServer } from 'vite';

const server = await createServer({ root: new URL('dapp', import.meta.url).pathname, logLevel: 'error', server: { port: 0, host: '127.0.0.1', hmr: true } });
await server.listen();
console.log(server.resolvedUrls.local[0]);
process.stdin.resume();
process.stdin.on('end', async () => { await server.close(); process.exit(0); });
