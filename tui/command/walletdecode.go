package command

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chainscope/tui/approval/words"
	"chainscope/wallet/bitcoin"
	"chainscope/wallet/clarity"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/keys"
	"chainscope/wallet/stxtx"
)

// decoded is what bytes mean in one reading.
type decoded struct {
	kind  string
	value any // for JSON
	words []words.Section
}

// decoder reads bytes as one kind of thing, strictly.
type decoder struct {
	kind   string
	name   string
	decode func(raw []byte, now time.Time, of *bitcoinReader) (decoded, error)
}

// decoders are tried in this order.
var decoders = []decoder{
	{"tx", "a transaction", func(raw []byte, _ time.Time, _ *bitcoinReader) (decoded, error) {
		t, err := stxtx.Decode(raw)
		if err != nil {
			return decoded{}, err
		}
		return decoded{value: t, words: words.Transaction(t)}, nil
	}},
	{"clarity", "a Clarity value", func(raw []byte, _ time.Time, _ *bitcoinReader) (decoded, error) {
		v, err := clarity.Decode(raw)
		if err != nil {
			return decoded{}, err
		}
		return decoded{value: stxtx.ExplainValue{Value: v}, words: words.Value(v)}, nil
	}},
	{"post-condition", "a post-condition", func(raw []byte, _ time.Time, _ *bitcoinReader) (decoded, error) {
		p, err := stxtx.DecodePostCondition(raw)
		if err != nil {
			return decoded{}, err
		}
		return decoded{value: p, words: words.PostCondition(p)}, nil
	}},
	{"psbt", "a PSBT", func(raw []byte, now time.Time, of *bitcoinReader) (decoded, error) {
		p, err := bitcoin.ParsePSBTBytes(raw)
		if err != nil {
			return decoded{}, err
		}
		d := p.Describe(of.network, of.owner())
		return decoded{value: d, words: words.Bitcoin(d, now)}, nil
	}},
}

func decodeKinds() []string {
	var kinds []string
	for _, d := range decoders {
		kinds = append(kinds, d.kind)
	}
	return kinds
}

// bitcoinReader tells whose inputs of a PSBT are ours.
type bitcoinReader struct {
	network bitcoin.Network
	owner   func() *bitcoin.Owner
}

func newWalletDecode(app *app, flags *walletFlags) *cobra.Command {
	var as string
	cmd := &cobra.Command{
		Use:   "decode HEX|BASE64|@FILE|-",
		Short: "Explain a transaction, a Clarity value, a post-condition or a PSBT",
		Long: `Explain what bytes mean: a Stacks transaction, a Clarity value, a post-condition
or a PSBT. Without --as they are tried in that order, strictly; the first that
fits is explained, others that fit are named. @FILE reads a file, - standard
input: hexadecimal digits, base64 or the bytes themselves.`,
		Example: `  chainscope wallet decode 0x0100000000000000000000000000000001
  chainscope wallet decode @unsigned.psbt --as psbt -o json`,
		Args: exactArgs(1),
		RunE: flags.checked(func(cmd *cobra.Command, args []string) error {
			tried := decoders
			if as != "" {
				tried = nil
				for _, d := range decoders {
					if d.kind == as {
						tried = []decoder{d}
					}
				}
				if tried == nil {
					return usagef("--as: unknown kind %q; use one of %s", as, strings.Join(decodeKinds(), ", "))
				}
			}
			raw, where, err := app.readArgument(cmd.Context(), "the argument", args[0], jsonrpc.MaxRequestBytes*2)
			if err != nil {
				return err
			}
			readings := bytesOf(raw, where != "")
			if len(readings) == 0 {
				return &Error{Kind: KindInvalidInput, Message: fmt.Sprintf("the argument%s is neither hexadecimal digits nor base64", where)}
			}
			of, err := app.bitcoinReader(cmd.Context(), flags)
			if err != nil {
				return err
			}
			found, failures := decodeAll(readings, tried, of)
			if len(found) == 0 {
				return &Error{Kind: KindInvalidInput, Message: "these bytes are of no known kind\n" + strings.Join(failures, "\n")}
			}
			return app.printDecoded(cmd.Context(), found)
		}),
	}
	cmd.Flags().StringVar(&as, "as", "", "read the bytes as one `kind` only: "+strings.Join(decodeKinds(), ", "))
	completeFlag(cmd, "as", decodeKinds())
	return cmd
}

// bytesOf gives the bytes that a text may stand for, the likeliest first. What
// comes from a file may be the bytes themselves.
func bytesOf(text []byte, file bool) [][]byte {
	var readings [][]byte
	trimmed := string(bytes.Join(bytes.Fields(text), nil))
	digits := strings.TrimPrefix(strings.TrimPrefix(trimmed, "0x"), "0X")
	if raw, err := hex.DecodeString(digits); err == nil && len(raw) > 0 {
		readings = append(readings, raw)
	}
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding} {
		if raw, err := encoding.Strict().DecodeString(trimmed); err == nil && len(raw) > 0 {
			readings = append(readings, raw)
			break
		}
	}
	if file && len(text) > 0 {
		readings = append(readings, text)
	}
	return readings
}

// decodeAll tries every decoder on every reading of the text. A failure is that
// of the likeliest bytes.
func decodeAll(readings [][]byte, tried []decoder, of *bitcoinReader) (found []decoded, failures []string) {
	now := time.Now()
	for _, d := range tried {
		var first error
		done := false
		for _, raw := range readings {
			got, err := d.decode(raw, now, of)
			if err == nil {
				got.kind = d.kind
				found, done = append(found, got), true
				break
			}
			if first == nil {
				first = err
			}
		}
		if !done {
			failures = append(failures, fmt.Sprintf("as %s: %s", d.name, plainProblem(first)))
		}
	}
	return found, failures
}

// plainProblem is an error without the name of the param and the code that a
// page would be told.
func plainProblem(err error) string {
	var e *jsonrpc.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}

// bitcoinReader reads PSBTs as the account of the flags. Nobody is asked for
// the passphrase of a keystore: without it nothing is ours.
func (a *app) bitcoinReader(ctx context.Context, flags *walletFlags) (*bitcoinReader, error) {
	network, err := bitcoin.NetworkNamed(flags.network)
	if err != nil {
		return nil, usagef("--network: %v", err)
	}
	source, err := a.keySource(flags)
	if err != nil {
		return nil, err
	}
	reader := &bitcoinReader{network: network, owner: func() *bitcoin.Owner { return nil }}
	if source == keysOfKeystore && flags.keystorePassphraseFile == "" {
		return reader, nil
	}
	reader.owner = func() *bitcoin.Owner {
		ring, err := a.ring(ctx, flags)
		if err != nil {
			return nil
		}
		wpkh, err := ring.Bitcoin(keys.P2WPKH, network.CoinType(), flags.account)
		if err != nil {
			return nil
		}
		tr, err := ring.Bitcoin(keys.P2TR, network.CoinType(), flags.account)
		if err != nil {
			return nil
		}
		account, err := bitcoin.NewAccount(network, wpkh.Secp256k1(), tr.Secp256k1())
		if err != nil {
			return nil
		}
		return &account.Owner
	}
	return reader, nil
}

// printDecoded prints the first reading and names the others.
func (a *app) printDecoded(ctx context.Context, found []decoded) error {
	var others []string
	for _, d := range found[1:] {
		others = append(others, d.kind)
	}
	if len(others) > 0 {
		also := "it can also be read as " + strings.Join(others, " and ") + ", see --as"
		fmt.Fprintln(a.streams.Err, "chainscope: "+also)
	}
	if a.json() {
		value, err := json.Marshal(found[0].value)
		if err != nil {
			return err
		}
		return a.printJSON(ctx, struct {
			Kind  string          `json:"kind"`
			Value json.RawMessage `json:"value"`
		}{found[0].kind, value})
	}
	var b strings.Builder
	writeSections(&b, found[0].words, sectionStyle{bold: a.color(), width: widthOf(a.streams.Out)})
	_, err := a.streams.Out.Write([]byte(strings.TrimPrefix(b.String(), "\n")))
	return err
}
