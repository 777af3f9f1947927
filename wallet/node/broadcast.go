package node

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"chainscope/wallet/stxtx"
)

// Rejection is a node's refusal of a transaction.
type Rejection struct {
	Status     int
	Message    string          // the node's error, "transaction rejected"
	Reason     string          // BadNonce, FeeTooLow, NotEnoughFunds, …
	ReasonData json.RawMessage // nil when absent
	TxID       string          // "" when the node could not say
}

// Error returns message and reason.
func (r *Rejection) Error() string {
	text := r.Message
	if text == "" {
		text = "transaction rejected"
	}
	if r.Reason != "" {
		text += ": " + r.Reason
	}
	return text
}

// UnansweredError says that a transaction was sent and no answer came: whether it was taken is
// not known.
type UnansweredError struct {
	TxID string
	Err  error
}

func (e *UnansweredError) Error() string {
	return fmt.Sprintf("sent, no answer yet: tx %s (%v)", e.TxID, e.Err)
}

// Unwrap returns why no answer came.
func (e *UnansweredError) Unwrap() error { return e.Err }

// Broadcast posts a signed transaction (POST /v2/transactions, raw octets) and
// returns its id, 64 hex digits without 0x.
//
// It first checks that the connection ends on this machine and that the server
// is a mock of its own, and posts over the same guarded transport, to the same
// address, following no redirect. The error is a [*NotSentError] when nothing
// was sent, an [*UnansweredError] when no answer came, a [*Rejection] when the
// node refused, an [*Error] for every other answer.
func (c *Client) Broadcast(ctx context.Context, transaction []byte) (string, error) {
	const op = "broadcast"
	var text string
	status, body, err := c.guarded(ctx, http.MethodPost, "/v2/transactions", "application/octet-stream", transaction)
	var notSent *NotSentError
	switch {
	case errors.As(err, &notSent):
		return "", err
	case err != nil:
		return "", &UnansweredError{stxtx.ID(transaction), err}
	case status == http.StatusOK && json.Unmarshal(body, &text) == nil:
		text = strings.TrimPrefix(text, "0x")
		if raw, err := hex.DecodeString(text); err != nil || len(raw) != 32 {
			return "", &Error{Op: op, Status: status, Err: errors.New("the answer is no transaction id")}
		}
		return text, nil
	case status == http.StatusBadRequest:
		var r struct {
			Error      string          `json:"error"`
			Reason     string          `json:"reason"`
			ReasonData json.RawMessage `json:"reason_data"`
			TxID       string          `json:"txid"`
		}
		if json.Unmarshal(body, &r) == nil && r.Error != "" {
			return "", &Rejection{Status: status, Message: r.Error, Reason: r.Reason, ReasonData: r.ReasonData, TxID: strings.TrimPrefix(r.TxID, "0x")}
		}
	}
	return "", &Error{Op: op, Status: status, Detail: detail(body)}
}

// EstimateFee requests what fees a payload of a transaction is worth, in micro-STX:
// low, middle and high (POST /v2/fees/transaction). Payload is the serialized
// payload, size the length of the whole transaction in bytes. As it posts, it
// is guarded like [Client.Broadcast]; where it may not post, take
// [Client.TransferFeeRate] times the size.
func (c *Client) EstimateFee(ctx context.Context, payload []byte, size int) ([3]uint64, error) {
	const op = "estimate the fee"
	var fees [3]uint64
	body, err := c.postJSON(ctx, op, "/v2/fees/transaction", map[string]any{"transaction_payload": hex.EncodeToString(payload), "estimated_len": size})
	if err != nil {
		return fees, err
	}
	var answer struct {
		Estimations []struct {
			Fee uint64 `json:"fee"`
		} `json:"estimations"`
	}
	if err := json.Unmarshal(body, &answer); err != nil || len(answer.Estimations) != len(fees) {
		return fees, &Error{Op: op, Status: http.StatusOK, Err: errors.New("the answer has no three estimations")}
	}
	for i, e := range answer.Estimations {
		fees[i] = e.Fee
	}
	return fees, nil
}

// SetBalance gives an account of the mock a balance in micro-STX (POST
// /mock/v1/accounts). It is guarded like [Client.Broadcast].
func (c *Client) SetBalance(ctx context.Context, address string, balance uint64) error {
	_, err := c.postJSON(ctx, "set the balance", "/mock/v1/accounts", map[string]string{"address": address, "balance": strconv.FormatUint(balance, 10)})
	return err
}

// postJSON posts a value as JSON and returns the answer, of status 200.
func (c *Client) postJSON(ctx context.Context, op, path string, value any) ([]byte, error) {
	request, err := json.Marshal(value)
	if err != nil {
		return nil, &Error{Op: op, Err: err}
	}
	return c.answered(ctx, op, http.MethodPost, path, request)
}

// Impersonates reports whether the mock takes transactions of an address without its signature
// (GET /mock/v1/impersonations). It is guarded like [Client.Broadcast].
func (c *Client) Impersonates(ctx context.Context, address string) (bool, error) {
	const op = "read who is impersonated"
	body, err := c.answered(ctx, op, http.MethodGet, "/mock/v1/impersonations", nil)
	if err != nil {
		return false, err
	}
	var answer struct{ Addresses []string }
	if err := json.Unmarshal(body, &answer); err != nil {
		return false, &Error{Op: op, Status: http.StatusOK, Err: errors.New("the answer is no list of addresses")}
	}
	return slices.Contains(answer.Addresses, address) || slices.Contains(answer.Addresses, "all"), nil
}

// answered exchanges JSON with the mock and returns its answer, of status 200.
func (c *Client) answered(ctx context.Context, op, method, path string, request []byte) ([]byte, error) {
	status, answer, err := c.guarded(ctx, method, path, "application/json", request)
	switch {
	case err != nil:
		return nil, wrap(op, err)
	case status != http.StatusOK:
		return nil, &Error{Op: op, Status: status, Detail: detail(answer)}
	}
	return answer, nil
}

func wrap(op string, err error) error {
	if _, is := errors.AsType[*NotSentError](err); is {
		return err
	}
	return &Error{Op: op, Err: err}
}

// guarded checks the server and sends it a request. What fails before the request left is
// a [*NotSentError].
func (c *Client) guarded(ctx context.Context, method, path, kind string, body []byte) (int, []byte, error) {
	g := c.guard()
	defer g.base.CloseIdleConnections()
	if err := c.checkMock(ctx, g); err != nil {
		return 0, nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, c.url(path), bytes.NewReader(body))
	if err != nil {
		return 0, nil, &NotSentError{Reason: "the API's URL cannot be used", Err: err}
	}
	request.Header.Set("Content-Type", kind)
	response, err := g.client.Do(request)
	if err != nil {
		var dialled *net.OpError
		if errors.As(err, new(*notLoopback)) || errors.As(err, &dialled) && dialled.Op == "dial" {
			err = c.unreached(err)
		}
		return 0, nil, err
	}
	defer response.Body.Close()
	answer, err := readBody(response)
	return response.StatusCode, answer, err
}
