// chainscope: keeps a page's requests on this machine. Requests to the public API
// hosts go to the API behind the bridge; of other hosts the terminal is told.
(function () {
  'use strict';
  var settings = /*settings*/ {};
  if (window.__chainscopeHome) return;
  Object.defineProperty(window, '__chainscopeHome', { value: true });
  var original = window.fetch.bind(window);
  var told = {};

  function isLocal(url) {
    var name = url.hostname;
    return url.host === location.host || name === 'localhost' || /\.localhost$/.test(name) || /^127\./.test(name) || name === '[::1]' || name === '0.0.0.0';
  }

  function tell(url) {
    if (told[url.host]) return;
    told[url.host] = true;
    // Without a type of its own, so that no preflight is needed.
    original(settings.left, { method: 'POST', body: JSON.stringify({ host: url.host }), mode: 'cors', credentials: 'omit', keepalive: true }).catch(function () {});
  }

  // homeward returns where a request to a URL goes: to the API behind the bridge,
  // or as the page wrote it.
  function homeward(text) {
    var url;
    try {
      url = new URL(text, document.baseURI);
    } catch (error) {
      return text;
    }
    if (!/^(https?|wss?):$/.test(url.protocol)) return text;
    if (settings.hosts.indexOf(url.host) >= 0) {
      var base = /^ws/.test(url.protocol) ? settings.api.replace(/^http/, 'ws') : settings.api;
      return base + url.host + url.pathname + url.search;
    }
    if (!isLocal(url)) tell(url);
    return text;
  }

  window.fetch = function fetch(input, init) {
    if (!(input instanceof Request)) return original(homeward(String(input)), init);
    var to = homeward(input.url);
    if (to === input.url) return original(input, init);
    if (input.method === 'GET' || input.method === 'HEAD') return original(new Request(to, input), init);
    // A body that is handed on as a stream needs HTTP/2; it is read first.
    return input.arrayBuffer().then(function (body) {
      return original(to, Object.assign({
        method: input.method, headers: input.headers, body: body, signal: input.signal, mode: input.mode,
        credentials: input.credentials, cache: input.cache, redirect: input.redirect, keepalive: input.keepalive,
      }, init));
    });
  };

  var open = XMLHttpRequest.prototype.open;
  XMLHttpRequest.prototype.open = function (method, url) {
    var args = Array.prototype.slice.call(arguments);
    args[1] = homeward(String(url));
    return open.apply(this, args);
  };

  function wrapped(name) {
    var Original = window[name];
    if (!Original) return;
    window[name] = new Proxy(Original, {
      construct: function (target, args, as) {
        args[0] = homeward(String(args[0]));
        return Reflect.construct(target, args, as);
      },
    });
  }
  wrapped('WebSocket');
  wrapped('EventSource');

  if (navigator.sendBeacon) {
    var beacon = navigator.sendBeacon.bind(navigator);
    navigator.sendBeacon = function (url, data) { return beacon(homeward(String(url)), data); };
  }

  // Pictures, styles and scripts are loaded by the browser itself.
  if (window.PerformanceObserver) {
    new PerformanceObserver(function (list) {
      list.getEntries().forEach(function (entry) {
        var url = new URL(entry.name, document.baseURI);
        if (/^https?:$/.test(url.protocol) && !isLocal(url)) tell(url);
      });
    }).observe({ type: 'resource', buffered: true });
  }
})();
