package walletcmd

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"chainscope/tui/command/cli"
	"chainscope/tui/nav"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/node"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"
)

// approvedLike says what every repair has in common with a request.
const approvedLike = `

It is described and approved like a request, and the result is printed as JSON: txid and transaction.
It is sent only to a mock API on this machine that --api names, never to a live network.`

func newWalletReplace(app *cli.App, flags *Flags) *cobra.Command {
	var fee uint64
	cmd := &cobra.Command{
		Use:         "replace TXID --fee N",
		Annotations: map[string]string{cli.AlwaysJSON: "true"},
		Short:       "Sign a transaction that waits again, with a higher fee",
		Long: `Sign the same transaction with the same nonce and a higher fee, so that it takes the place of
the one that waits. Its bytes come from the wallet's own record, else from the API. Of a sponsored
transaction it is the sponsor who pays, and signs again.` + approvedLike,
		Example: `  chainscope wallet replace 0x5f0c… --fee 900 --api http://127.0.0.1:3999`,
		Args:    cli.ExactArgs(1),
		RunE: flags.checked(func(cmd *cobra.Command, args []string) error {
			return repair(cmd, app, flags, args, service.Repair{Kind: signer.Replace, Fee: fee})
		}),
	}
	cmd.Flags().Uint64Var(&fee, "fee", 0, "`micro-STX` to pay, more than now")
	return cmd
}

func newWalletCancel(app *cli.App, flags *Flags) *cobra.Command {
	var fee, nonce uint64
	cmd := &cobra.Command{
		Use:         "cancel TXID | --nonce N",
		Annotations: map[string]string{cli.AlwaysJSON: "true"},
		Short:       "Give the nonce of a transaction that waits to one that does nothing",
		Long: `Sign a transfer of 1 micro-STX to another account of the wallet, as nodes take none to the sender
itself, with the nonce of a transaction that waits: one of the two will be in a block. With --nonce it is
a nonce of the account: that of a transaction that waits, or one that no transaction has and that
others wait for. Without --fee it pays a tenth more than what it takes the place of.` + approvedLike,
		Example: `  chainscope wallet cancel 0x5f0c… --api http://127.0.0.1:3999
  chainscope wallet cancel --nonce 4 --account 1 --network testnet --approve always`,
		Args: cobra.MaximumNArgs(1),
		RunE: flags.checked(func(cmd *cobra.Command, args []string) error {
			r := service.Repair{Kind: signer.Cancel, Fee: fee}
			if cmd.Flags().Changed("nonce") {
				r.Nonce = &nonce
			}
			if (len(args) == 1) == (r.Nonce != nil) {
				return cli.Usagef("chainscope wallet cancel takes a transaction or --nonce, one of the two")
			}
			return repair(cmd, app, flags, args, r)
		}),
	}
	cmd.Flags().Uint64Var(&fee, "fee", 0, "`micro-STX` to pay (default a tenth more than what it takes the place of)")
	cmd.Flags().Uint64Var(&nonce, "nonce", 0, "`nonce` of the account to cancel, or to fill")
	return cmd
}

func newWalletSponsor(app *cli.App, flags *Flags) *cobra.Command {
	var fee uint64
	cmd := &cobra.Command{
		Use:         "sponsor HEX|@FILE|- --fee N",
		Annotations: map[string]string{cli.AlwaysJSON: "true"},
		Short:       "Sign a sponsored transaction as its sponsor, who pays the fee",
		Long: `Sign a transaction that its sender has signed, as its sponsor: the account of --account, which pays
the fee. The transaction is whole then. HEX is raw, as a request with sponsored true answers it.` + approvedLike,
		Example: `  chainscope wallet request stx_transferStx \
    '{"recipient":"ST2JHG361ZXG51QTKY2NQCVBPPRRE2KZB1HR05NNC","amount":"7","sponsored":true}' \
    --network testnet --approve always | jq -r .transaction |
    chainscope wallet sponsor - --account 1 --fee 900 --network testnet --approve always`,
		Args: cli.ExactArgs(1),
		RunE: flags.checked(func(cmd *cobra.Command, args []string) error {
			raw, _, err := app.ReadArgument(cmd.Context(), "the transaction", args[0], jsonrpc.MaxRequestBytes*2)
			if err != nil {
				return err
			}
			return repair(cmd, app, flags, nil, service.Repair{Kind: signer.Sponsor, Transaction: strings.TrimSpace(string(raw)), Fee: fee})
		}),
	}
	cmd.Flags().Uint64Var(&fee, "fee", 0, "`micro-STX` to pay")
	return cmd
}

// repair has a repair approved and prints its result. An argument is the transaction.
func repair(cmd *cobra.Command, app *cli.App, flags *Flags, args []string, r service.Repair) error {
	switch {
	case r.Kind != signer.Cancel && r.Fee == 0:
		return cli.Usagef("%s takes --fee, in micro-STX: it is what gets the transaction into a block", cmd.CommandPath())
	case len(args) == 1:
		id, err := nav.ParseHash(args[0])
		if err != nil {
			return &cli.Error{Kind: cli.KindInvalidInput, Message: "the transaction: " + err.Error(), Err: err}
		}
		r.TxID = strings.TrimPrefix(id, "0x")
	}
	s, err := openSigning(cmd.Context(), app, flags, flags.approve)
	if err != nil {
		return err
	}
	defer s.close()
	o := s.wallet.Repair(cmd.Context(), r)
	o.Err = repairError(o.Err)
	return s.finish(cmd.Context(), o)
}

// repairError returns what is in the way of a repair as the command's failure.
func repairError(err error) error {
	var inTheWay *service.Obstacle
	var server *node.Error
	switch {
	case errors.As(err, &inTheWay) && inTheWay.Unknown:
		return &cli.Error{Kind: cli.KindNotFound, Message: err.Error(), Err: err}
	case errors.As(err, &inTheWay):
		return &cli.Error{Kind: cli.KindInvalidInput, Message: err.Error(), Err: err}
	case errors.As(err, &server) && server.Status == 0:
		return &cli.Error{Kind: cli.KindOffline, Message: err.Error(), Err: err}
	case errors.As(err, &server):
		return &cli.Error{Kind: cli.KindServer, Message: err.Error(), Err: err}
	}
	return err
}
