// chainscope: keeps the requests of a page and of its workers on this machine. Requests
// to the public API hosts go to the API behind the bridge; of other hosts the terminal
// is told, or the bridge answers in their place where nothing may leave the machine. It stands before the scripts of workers, too, so it must do without a page.
(function home(settings) {
  'use strict';
  if (self.__chainscopeHome) return;
  Object.defineProperty(self, '__chainscopeHome', { value: true });
  var original = self.fetch.bind(self);
  var told = {};
  var here = '';
  try { here = new URL(self.origin).host; } catch (error) { /* a page without an origin */ }

  function base() { return self.document ? document.baseURI : location.href; }

  function isLocal(url) {
    var name = url.hostname;
    return url.host === here || name === 'localhost' || /\.localhost$/.test(name) || /^127\./.test(name) || name === '[::1]' || name === '0.0.0.0';
  }

  function isAllowed(url) { return Boolean(settings.allow) && settings.allow.indexOf(url.host) >= 0; }

  function tell(what) {
    var report = JSON.stringify(what);
    if (told[report]) return;
    told[report] = true;
    // Without a type of its own, so that no preflight is needed.
    original(settings.left, { method: 'POST', body: report, mode: 'cors', credentials: 'omit', keepalive: true }).catch(function () {});
  }

  // homeward returns where a request to a URL goes: to the API behind the bridge, to the
  // bridge where it would leave the machine and may not, or as the page wrote it.
  function homeward(text) {
    var url;
    try {
      url = new URL(text, base());
    } catch (error) {
      return text;
    }
    if (!/^(https?|wss?):$/.test(url.protocol)) return text;
    if (settings.hosts.indexOf(url.host) >= 0) {
      var api = /^ws/.test(url.protocol) ? settings.api.replace(/^http/, 'ws') : settings.api;
      return api + url.host + url.pathname + url.search;
    }
    if (isLocal(url) || isAllowed(url)) return text;
    if (settings.away) {
      return (/^ws/.test(url.protocol) ? settings.away.replace(/^http/, 'ws') : settings.away)
        + url.protocol.slice(0, -1) + '/' + url.host + url.pathname + url.search;
    }
    tell({ host: url.host });
    return text;
  }

  self.fetch = function fetch(input, init) {
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

  if (self.XMLHttpRequest) {
    var open = XMLHttpRequest.prototype.open;
    XMLHttpRequest.prototype.open = function (method, url) {
      var args = Array.prototype.slice.call(arguments);
      args[1] = homeward(String(url));
      return open.apply(this, args);
    };
  }

  // wrapped lets the first argument of a constructor be changed.
  function wrapped(name, change) {
    var Original = self[name];
    if (!Original) return;
    self[name] = new Proxy(Original, {
      construct: function (target, args, as) {
        args[0] = change(String(args[0]));
        return Reflect.construct(target, args, as);
      },
    });
  }
  wrapped('WebSocket', homeward);
  wrapped('EventSource', homeward);

  if (self.navigator && navigator.sendBeacon) {
    var beacon = navigator.sendBeacon.bind(navigator);
    navigator.sendBeacon = function (url, data) { return beacon(homeward(String(url)), data); };
  }

  // A worker that is made of a blob gets this script before its own. One that is
  // loaded gets it from the proxy; without the proxy it is not seen, which is told.
  var blobs = new Map();
  if (self.URL && URL.createObjectURL) {
    var create = URL.createObjectURL.bind(URL);
    var revoke = URL.revokeObjectURL.bind(URL);
    URL.createObjectURL = function (what) {
      var url = create(what);
      if (what instanceof Blob) blobs.set(url, what);
      return url;
    };
    URL.revokeObjectURL = function (url) {
      blobs.delete(String(url));
      return revoke(url);
    };
  }
  function workerScript(text) {
    var blob = blobs.get(text);
    if (blob) {
      var script = '(' + home + ')(' + JSON.stringify(settings) + ');\n';
      return create(new Blob([script, blob], { type: blob.type || 'text/javascript' }));
    }
    unseen(text);
    return text;
  }
  function unseen(text) {
    var url;
    try {
      url = new URL(text, base());
    } catch (error) {
      return; // there will be no worker
    }
    if (url.origin !== new URL(settings.api).origin) tell({ worker: url.protocol === 'data:' ? 'data:' : url.href });
  }
  wrapped('Worker', workerScript);
  wrapped('SharedWorker', workerScript);
  var services = self.navigator && navigator.serviceWorker;
  if (services && services.register) {
    var register = services.register.bind(services);
    services.register = function (url, options) {
      unseen(String(url));
      return register(url, options);
    };
  }

  // Pictures, styles and scripts are loaded by the browser itself.
  if (self.PerformanceObserver) {
    new PerformanceObserver(function (list) {
      list.getEntries().forEach(function (entry) {
        var url = new URL(entry.name, base());
        if (/^https?:$/.test(url.protocol) && !isLocal(url) && !isAllowed(url)) tell({ host: url.host });
      });
    }).observe({ type: 'resource', buffered: true });
  }
})(/*settings*/ {});
