package apiclient

import (
	"net/http"
	"slices"
	"strings"
)

// markImpersonated returns an answer in which transactions are marked that a mock took without a
// signature of their sender or sponsor. Its header names those addresses; no body does.
func markImpersonated(answer any, h http.Header) any {
	named := h.Get("X-Mock-Impersonated")
	if named == "" {
		return answer
	}
	addresses := strings.Split(named, ", ")
	switch of := answer.(type) {
	case Transaction:
		of.markImpersonated(addresses)
		return of
	case TransactionPage:
		for i := range of.Results {
			of.Results[i].markImpersonated(addresses)
		}
	case map[string]found:
		for id, one := range of {
			one.impersonated = addresses
			of[id] = one
		}
	}
	return answer
}

func (t *Transaction) markImpersonated(addresses []string) {
	t.Impersonated = slices.Contains(addresses, t.Sender) || t.Sponsor != "" && slices.Contains(addresses, t.Sponsor)
}
