// Requests to the bridge and to the mock, over connections that are kept.
import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

/** Sends a request and returns its status and text. */
export function send(url, { method = 'GET', body, headers = {}, signal } = {}) {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    if (text !== undefined) headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers };
    const asked = request(url, { method, headers, agent, signal }, answer => {
      const chunks = [];
      answer.on('data', chunk => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => resolve({ status: answer.statusCode, text: Buffer.concat(chunks).toString() }));
    });
    asked.on('error', reject);
    asked.end(text);
  });
}

/** Sends a request and returns its JSON. An answer that is no 2xx throws with what the server says is wrong. */
export async function sendJSON(url, options) {
  const { status, text } = await send(url, options);
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (status < 200 || status > 299 || value === undefined) {
    throw new Error(`${options?.method ?? 'GET'} ${url} answers ${status}: ${value?.message ?? text.trim()}`);
  }
  return value;
}

/** Reads server-sent events until the signal ends it. Resolves once the server listens. */
export function listen(url, { headers, signal, onEvent }) {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers: { accept: 'text/event-stream', ...headers }, signal }, answer => {
      if (answer.statusCode !== 200) {
        answer.resume();
        reject(new Error(`${url} answers ${answer.statusCode}`));
        return;
      }
      let held = '';
      answer.setEncoding('utf8');
      answer.on('error', () => {}); // the bridge or the test has ended
      answer.on('data', chunk => {
        held += chunk;
        const messages = held.split('\n\n');
        held = messages.pop();
        for (const message of messages) {
          const fields = Object.fromEntries(message.split('\n').map(line => line.split(/: (.*)/s, 2)));
          if (fields.event) onEvent(fields.event, JSON.parse(fields.data));
        }
        resolve();
      });
    });
    asked.on('error', reject);
    asked.end();
  });
}
