// chainscope: gives a page a wallet whose requests are answered in a terminal.
(function () {
  'use strict';
  var settings = /*settings*/ {};
  var kinds = {
    chainscope: { id: 'ChainscopeProvider', name: 'chainscope (terminal)', list: 'wbip_providers' },
    leather: { id: 'LeatherProvider', name: 'Leather', list: 'btc_providers' },
    xverse: { id: 'XverseProviders.BitcoinProvider', name: 'Xverse Wallet', list: 'btc_providers' },
  };
  var kind = kinds[settings.as];
  var icon = 'data:image/svg+xml,' + encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1b1f2a"/><path d="M8 10l6 6-6 6" fill="none" stroke="#ff9f43" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/><path d="M16 23h8" stroke="#54a0ff" stroke-width="3" stroke-linecap="round"/></svg>');
  var count = 0;

  function failure(id, message) {
    return { jsonrpc: '2.0', id: id, error: { code: -32603, message: message } };
  }

  // The terminal decides, so a call stays open as long as it takes. The page
  // always gets an envelope, also when nobody is there.
  function call(method, params) {
    var id = String(++count);
    var body;
    try {
      body = JSON.stringify({ jsonrpc: '2.0', id: id, method: String(method), params: params }, function (key, value) {
        return typeof value === 'bigint' ? value.toString() : value;
      });
    } catch (error) {
      return Promise.resolve(failure(id, 'the params cannot be written as JSON: ' + error.message));
    }
    return fetch(settings.rpc, {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: body,
      mode: 'cors', credentials: 'omit', cache: 'no-store', referrerPolicy: 'no-referrer',
    }).then(function (response) {
      if (!response.ok) {
        return response.text().then(function (text) {
          return failure(id, 'chainscope refused the request: ' + text.trim());
        });
      }
      return response.json();
    }).catch(function () {
      return failure(id, 'chainscope cannot be reached at ' + settings.rpc + ': is it still running in the terminal?');
    });
  }

  function request(method, params) {
    return call(method, params).then(function (envelope) {
      // Leather rejects with the envelope where others resolve with it.
      if (settings.as === 'leather' && envelope.error) throw envelope;
      return envelope;
    });
  }

  // One event stream is opened when the first listener comes, and closed with
  // the last.
  var listeners = { stx_accountChange: [], stx_networkChange: [] };
  var stream = null;
  function listen(event, listener) {
    if (!listeners[event]) throw new TypeError('unknown event ' + event + '; there are ' + Object.keys(listeners).join(' and '));
    if (typeof listener !== 'function') throw new TypeError('a listener is a function');
    listeners[event].push(listener);
    if (!stream) {
      stream = new EventSource(settings.events);
      Object.keys(listeners).forEach(function (name) {
        stream.addEventListener(name, function (message) {
          var data = JSON.parse(message.data);
          listeners[name].slice().forEach(function (each) { each(data); });
        });
      });
    }
    return function unlisten() {
      var at = listeners[event].indexOf(listener);
      if (at >= 0) listeners[event].splice(at, 1);
      var any = Object.keys(listeners).some(function (name) { return listeners[name].length > 0; });
      if (!any && stream) {
        stream.close();
        stream = null;
      }
    };
  }

  var path = kind.id.split('.');
  var holder = window;
  for (var i = 0; i < path.length - 1; i++) holder = holder[path[i]] = holder[path[i]] || {};
  var last = path[path.length - 1];
  if (holder[last] && holder[last].isChainscope) return;

  var provider = { isChainscope: true, request: request, listen: listen };
  if (settings.as === 'leather') provider.isLeather = true;
  if (settings.as === 'xverse') {
    // The library knows this wallet by two methods that have no use here.
    ['signMultipleTransactions', 'createRepeatInscriptions'].forEach(function (name) {
      provider[name] = function () { return Promise.reject(new Error(name + ' is not offered by chainscope')); };
    });
  }
  Object.defineProperty(holder, last, { value: Object.freeze(provider), configurable: true, enumerable: true, writable: false });

  var list = window[kind.list] = window[kind.list] || [];
  if (!list.some(function (entry) { return entry && entry.id === kind.id; })) {
    list.push({ id: kind.id, name: kind.name, icon: icon, webUrl: settings.site, methods: [
      'getAddresses', 'sendTransfer', 'signPsbt', 'stx_getAddresses', 'stx_getAccounts', 'stx_getNetworks', 'stx_transferStx',
      'stx_transferSip10Ft', 'stx_transferSip9Nft', 'stx_callContract', 'stx_deployContract', 'stx_signTransaction',
      'stx_signMessage', 'stx_signStructuredMessage'] });
  }
})();
