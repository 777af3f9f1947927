// chainscope: gives a page a wallet whose requests are answered in a terminal.
(function () {
  'use strict';
  var settings = /*settings*/ {};
  var wallet = settings.wallet;
  var icon = 'data:image/svg+xml,' + encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1b1f2a"/><path d="M8 10l6 6-6 6" fill="none" stroke="#ff9f43" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/><path d="M16 23h8" stroke="#54a0ff" stroke-width="3" stroke-linecap="round"/></svg>');
  var count = 0;

  function failure(id, message) {
    return { jsonrpc: '2.0', id: id, error: { code: -32603, message: message } };
  }

  // A test runner that drives the browser gives the page a function instead of the
  // network: it takes { call: envelope } and answers an envelope, or { listen: true },
  // after which events come to the window as chainscope:NAME.
  var binding = settings.binding && window[settings.binding];

  function post(body) {
    return fetch(settings.rpc, {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: body,
      mode: 'cors', credentials: 'omit', cache: 'no-store', referrerPolicy: 'no-referrer',
    });
  }

  // The terminal decides, so a call stays open as long as it takes. The page
  // always gets an envelope, even when the terminal cannot be reached.
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
    if (binding) {
      return binding({ call: JSON.parse(body) }).catch(function (error) { return failure(id, error.message); });
    }
    return post(body).then(function (response) {
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
      if (wallet.rejects && envelope.error) throw envelope;
      return envelope;
    });
  }

  // One event stream is opened when the first listener comes, and closed with
  // the last.
  var listeners = { stx_accountChange: [], stx_networkChange: [], accountChange: [], networkChange: [], disconnect: [] };
  var stream = null;
  function open() {
    if (!binding) return new EventSource(settings.events);
    binding({ listen: true }).catch(function () {}); // the page is closing
    var heard = [];
    return {
      addEventListener: function (name, hear) {
        var each = function (event) { hear({ data: JSON.stringify(event.detail) }); };
        heard.push(['chainscope:' + name, each]);
        window.addEventListener('chainscope:' + name, each);
      },
      close: function () {
        heard.forEach(function (pair) { window.removeEventListener(pair[0], pair[1]); });
      },
    };
  }
  function add(event, listener) {
    listeners[event].push(listener);
    if (!stream) {
      stream = open();
      Object.keys(listeners).forEach(function (name) {
        stream.addEventListener(name, function (message) {
          var data = JSON.parse(message.data);
          listeners[name].slice().forEach(function (each) { each(data); });
        });
      });
    }
    return function remove() {
      var at = listeners[event].indexOf(listener);
      if (at >= 0) listeners[event].splice(at, 1);
      var any = Object.keys(listeners).some(function (name) { return listeners[name].length > 0; });
      if (!any && stream) {
        stream.close();
        stream = null;
      }
    };
  }

  // The listening functions: of SIP-030, and of sats-connect in both of its
  // forms, which passes over what it does not know.
  var listening = {
    listen: function (event, listener) {
      var known = ['stx_accountChange', 'stx_networkChange'];
      if (known.indexOf(event) < 0) throw new TypeError('unknown event ' + event + '; there are ' + known.join(' and '));
      if (typeof listener !== 'function') throw new TypeError('a listener is a function');
      return add(event, listener);
    },
    addListener: function (event, listener) {
      var name = event && event.eventName ? event.eventName : event;
      var callback = event && event.eventName ? event.cb : listener;
      if (['accountChange', 'networkChange', 'disconnect'].indexOf(name) < 0 || typeof callback !== 'function') return function () {};
      return add(name, callback);
    },
  };

  function legacy(name) {
    return function () {
      return call(name + '()').then(function (envelope) {
        throw new Error(envelope.error ? envelope.error.message : name + ' is not offered by chainscope');
      });
    };
  }

  // holderOf finds the object that a dotted path ends in, making those between.
  function holderOf(path) {
    return path.slice(0, -1).reduce(function (holder, part) { return holder[part] = holder[part] || {}; }, window);
  }

  var path = wallet.id.split('.');
  var holder = holderOf(path);
  var last = path[path.length - 1];
  if (holder[last] && holder[last].isChainscope) return;

  var provider = {
    isChainscope: true,
    request: request,
    getURL: function () { return Promise.resolve(settings.site); },
    getProductInfo: function () { return { version: wallet.version, name: wallet.name, meta: { tag: 'chainscope', commit: '' } }; },
  };
  (wallet.listen || []).forEach(function (name) { provider[name] = listening[name]; });
  (wallet.legacy || []).forEach(function (name) { provider[name] = legacy(name); });
  if (wallet.isLeather) provider.isLeather = true;
  Object.freeze(provider);
  function define(object, name) {
    Object.defineProperty(object, name, { value: provider, configurable: true, enumerable: true, writable: false });
  }
  define(holder, last);
  (wallet.globals || []).forEach(function (name) {
    var parts = name.split('.');
    var object = holderOf(parts);
    if (object[parts[parts.length - 1]] === undefined) define(object, parts[parts.length - 1]);
  });

  var register = wallet.id === 'ChainscopeProvider' ? 'wbip_providers' : 'btc_providers';
  var list = window[register] = window[register] || [];
  if (!list.some(function (entry) { return entry && entry.id === wallet.id; })) {
    list.push({ id: wallet.id, name: wallet.name, icon: icon, webUrl: settings.site, methods: wallet.methods });
  }
})();
