// What a test answers in place of hosts beyond this machine.
import { leaves } from './home.js';

/** A text as the part of a regular expression that fits it alone. */
const literal = text => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The stubs of a test; of those that fit, the newest answers. */
export class Stubs {
  #all = [];

  add(url, json, status) {
    if (!leaves(url.replaceAll('*', 'x'))) {
      throw new Error(`chain.stub answers what would leave this machine, by a URL such as 'https://prices.example/v1/*', not ${JSON.stringify(url)}; for a page's own server use page.route`);
    }
    const body = JSON.stringify(json);
    if (body === undefined) throw new Error(`chain.stub(${JSON.stringify(url)}, …): the answer is no JSON value`);
    const fits = new RegExp(`^${url.split('*').map(literal).join('.*')}$`);
    this.#all.unshift({ fits, query: url.includes('?'), answer: { status, body, contentType: 'application/json' } });
  }

  find(url) {
    const bare = url.origin + url.pathname;
    return this.#all.find(({ fits, query }) => fits.test(query ? bare + url.search : bare))?.answer;
  }
}
