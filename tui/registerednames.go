package tui

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen/listing"
	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"
)

// RegisteredNames returns how the place of names with their owners is made. Its list is the history.
func RegisteredNames(o *Options) listing.Of[resource.RegisteredName] {
	history := recently{o.Store, o.Network, "registered-names", 40}
	return listing.Of[resource.RegisteredName]{
		Kind: resource.RegisteredNames(), List: nav.KindName, Ops: []string{"read-only call", "name"},
		ID:       func(n resource.RegisteredName) string { return n.Name },
		Remember: history.remember,
		Pace:     func(nav.Place) listing.Pace { return listing.Never },
		None:     "Names that you opened are listed here.",
		Page: func(context.Context, nav.Place, string) (listing.Page[resource.RegisteredName], error) {
			var page listing.Page[resource.RegisteredName]
			for _, name := range history.recent() {
				page.Rows = append(page.Rows, listing.Row[resource.RegisteredName]{Of: resource.RegisteredName{Name: name}})
			}
			page.Total = int64(len(page.Rows))
			return page, nil
		},
		One: func(ctx context.Context, name string) (listing.Row[resource.RegisteredName], error) {
			a, err := ReadName(ctx, o.Client, name)
			return listing.Row[resource.RegisteredName]{Of: a.Value, Raw: a.Raw, Exchange: a.ExchangeID}, err
		},
	}
}

// ReadName reads who owns a name and when it expires, from the registry of BNS v2, and where
// that has no such name from the one of v1: by at most two requests. That nobody owns it is
// NotFound, and said only where both registries answered.
func ReadName(ctx context.Context, c *apiclient.Client, name string) (apiclient.Answer[resource.RegisteredName], error) {
	dot := strings.LastIndexByte(name, '.')
	n := resource.RegisteredName{Name: name, Namespace: name[dot+1:]}
	exchange, err := readNameV2(ctx, c, &n)
	if apiclient.KindOf(err) == apiclient.NotFound { // subdomains and names of v1 alone
		var old apiclient.Answer[apiclient.NameOfV1]
		if old, err = c.NameOfV1(ctx, name); err == nil {
			n.Registry, n.Owner, exchange = resource.RegistryV1, old.Value.Address, old.ExchangeID
			if old.Value.ExpireBlock > 0 {
				n.Expires = &old.Value.ExpireBlock
			}
		} else if missing, is := errors.AsType[*apiclient.Error](err); is && missing.Kind == apiclient.NotFound {
			err = &apiclient.Error{Kind: apiclient.NotFound, Err: noOwner(name), ExchangeID: missing.ExchangeID}
		}
	}
	if err != nil {
		return apiclient.Answer[resource.RegisteredName]{}, err
	}
	raw, err := json.Marshal(struct {
		Name      string            `json:"name"`
		Namespace string            `json:"namespace"`
		Owner     string            `json:"owner"`
		Registry  resource.Registry `json:"registry"`
		Expires   *int64            `json:"expires_at_burn_height"`
	}{n.Name, n.Namespace, n.Owner, n.Registry, n.Expires})
	return apiclient.Answer[resource.RegisteredName]{Value: n, Raw: raw, ExchangeID: exchange}, err
}

func noOwner(name string) error {
	return fmt.Errorf("neither registry of names has an owner of %s", name)
}

// readNameV2 reads the owner and the expiry of a name from the registry of BNS v2. One that it
// does not have is NotFound; so is one with a subdomain, which it cannot have.
func readNameV2(ctx context.Context, c *apiclient.Client, n *resource.RegisteredName) (uint64, error) {
	label := strings.TrimSuffix(n.Name, "."+n.Namespace)
	none := &apiclient.Error{Kind: apiclient.NotFound, Err: noOwner(n.Name)}
	if strings.Contains(label, ".") {
		return 0, none
	}
	var args []string
	for _, part := range []string{label, n.Namespace} {
		hex, err := clarity.EncodeHex(clarity.Buffer(part))
		if err != nil {
			return 0, err
		}
		args = append(args, "0x"+hex)
	}
	server, err := c.Server(ctx)
	switch {
	case err != nil:
		return 0, err
	case server.Network == "":
		return 0, &apiclient.Error{Kind: apiclient.ServerFault, Err: fmt.Errorf("this API does not say which network it is of, so the registry of %s is not known", n.Name)}
	}
	answer, err := c.CallReadOnly(ctx, facts.BNS2(server.Network == apiclient.Testnet), "get-bns-info", "", args)
	if missing, is := errors.AsType[*apiclient.Error](err); is && missing.Kind == apiclient.NotFound { // of the node: nothing of the name
		return 0, &apiclient.Error{Kind: apiclient.ServerFault, Status: missing.Status, ExchangeID: missing.ExchangeID, Err: fmt.Errorf("the node behind this API does not say who owns %s", n.Name)}
	} else if err != nil {
		return 0, err
	}
	if !answer.Value.Okay {
		return answer.ExchangeID, &apiclient.Error{Kind: apiclient.ServerFault, ExchangeID: answer.ExchangeID, Err: errors.New(resource.RefusedCall("get-bns-info", answer.Value.Cause))}
	}
	value, err := clarity.DecodeHex(answer.Value.Result)
	if err != nil {
		return answer.ExchangeID, &apiclient.Error{Kind: apiclient.Decode, ExchangeID: answer.ExchangeID, Err: fmt.Errorf("the owner of %s cannot be read: %w", n.Name, err)}
	}
	some, is := value.(clarity.Some)
	if _, nobody := value.(clarity.None); nobody {
		return answer.ExchangeID, none
	} else if !is {
		return answer.ExchangeID, &apiclient.Error{Kind: apiclient.Decode, ExchangeID: answer.ExchangeID, Err: fmt.Errorf("the owner of %s cannot be read: the registry answers %s", n.Name, clarity.Repr(value))}
	}
	tuple, _ := some.Value.(clarity.Tuple)
	for _, f := range tuple.Fields {
		switch v := f.Value.(type) {
		case clarity.Principal:
			if f.Name == "owner" {
				n.Owner = v.String()
			}
		case clarity.UInt:
			if f.Name == "renewal-height" && v.N.IsInt64() && v.N.Sign() > 0 {
				at := v.N.Int64()
				n.Expires = &at
			}
		}
	}
	if n.Owner == "" {
		return answer.ExchangeID, fmt.Errorf("the registry names no owner of %s", n.Name)
	}
	n.Registry = resource.RegistryV2
	return answer.ExchangeID, nil
}
