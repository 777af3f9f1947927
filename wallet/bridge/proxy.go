package bridge

import (
	"context"
	"crypto/rand"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"time"
)

// requestedHost is the key of the host under which a page requests the proxy.
type requestedHost struct{}

// newProxy serves a dapp under development with the provider already in its
// pages, and what keeps them at home in their workers; nil for nothing. Web sockets, streams and hot reload pass through as they are. A request
// that has come through here before is refused: the dapp's server leads back.
func newProxy(target *url.URL, isolation *Isolation) http.Handler {
	via := "1.1 chainscope-" + strings.ToLower(rand.Text()[:12])
	proxy := reverseProxy(target, isolation, via)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if slices.ContainsFunc(r.Header.Values("Via"), func(v string) bool { return strings.Contains(v, via) }) {
			http.Error(w, "the dapp at "+target.String()+" leads back to this bridge", http.StatusLoopDetected)
			return
		}
		proxy.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestedHost{}, r.Host)))
	})
}

// PointsAt reports whether a URL names the address of a listener.
func PointsAt(u *url.URL, addr net.Addr) bool {
	at, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return false
	}
	named := u.Port()
	if named == "" {
		named = defaultPorts[u.Scheme]
	}
	ip := net.ParseIP(at)
	if named != port || ip == nil {
		return false
	}
	host := net.ParseIP(u.Hostname())
	if u.Hostname() == "localhost" || strings.HasSuffix(u.Hostname(), ".localhost") || host.IsUnspecified() {
		return ip.IsLoopback() || ip.IsUnspecified()
	}
	return host.Equal(ip) || ip.IsUnspecified() && host.IsLoopback()
}

func reverseProxy(target *url.URL, isolation *Isolation, via string) *httputil.ReverseProxy {
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Header.Add("Via", via)
			// Development servers check the host that a request names, and some
			// the origin of a web socket.
			r.Out.Host = target.Host
			if r.In.Header.Get("Origin") == "http://"+r.In.Host {
				r.Out.Header.Set("Origin", target.Scheme+"://"+target.Host)
			}
			if encodings := r.In.Header.Get("Accept-Encoding"); encodings != "" {
				r.Out.Header.Set("Accept-Encoding", readable(encodings))
			}
		},
		ModifyResponse: func(r *http.Response) error {
			rewriteOwnRedirect(r, target)
			worker := ""
			if host, ok := r.Request.Context().Value(requestedHost{}).(string); ok && isolation != nil && isWorker(r.Request) {
				worker = isolation.script("http://" + host)
			}
			return inject(r, worker)
		},
		FlushInterval: -1,
		Transport: &http.Transport{
			Proxy:               nil,
			DisableCompression:  true, // what the browser requested goes through as it is
			MaxIdleConnsPerHost: 32,
			IdleConnTimeout:     90 * time.Second,
		},
		ErrorLog: silent,
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			if r.Context().Err() != nil {
				return
			}
			http.Error(w, "the dapp at "+target.String()+" does not answer: is its server running?", http.StatusBadGateway)
		},
	}
}

// readable keeps the encodings that a page can be read in.
func readable(accept string) string {
	if strings.Contains(accept, "gzip") {
		return "gzip"
	}
	return "identity"
}

// rewriteOwnRedirect turns a redirect within the dapp into one within the proxy.
func rewriteOwnRedirect(r *http.Response, target *url.URL) {
	location, err := url.Parse(r.Header.Get("Location"))
	if err != nil || location.Host != target.Host || location.Scheme != "" && location.Scheme != target.Scheme {
		return // also where it has no host
	}
	location.Scheme, location.Host = "", ""
	if location.Path == "" {
		location.Path = "/"
	}
	r.Header.Set("Location", location.String())
}
