package resource

import (
	"strings"
	"testing"
)

// heads returns the columns of a kind where a list has 60, 76 and 112 cells, as in windows of
// 64, 80 and 200.
func heads[T any](k Kind[T]) (lines []string) {
	for _, width := range []int{60, 76, 112} {
		lines = append(lines, strings.TrimRight(k.Head(k.Fit(width)), " "))
	}
	return lines
}

func TestTheColumnsOfEachKindAtThreeWidths(t *testing.T) {
	for _, of := range []struct{ drawn, want []string }{
		{heads(Accounts()), []string{
			"ADDRESS          LISTED AS            BALANCE (STX)    NONCE",
			"ADDRESS          LISTED AS             BALANCE (STX)         LOCKED    NONCE",
			"ADDRESS                    LISTED AS                             BALANCE (STX)                LOCKED       NONCE",
		}},
		{heads(Contracts()), []string{
			"CONTRACT               OF                LISTED AS",
			"CONTRACT                     OF                     LISTED AS",
			"CONTRACT                                  OF                                    LISTED AS",
		}},
		{heads(Namespaces()), []string{
			"NAMESPACE                                 NAMES  WHY",
			"NAMESPACE                                                 NAMES  WHY",
			"NAMESPACE                                                            NAMES  WHY",
		}},
		{heads(Prints()), []string{
			"WHAT       PRINTED                     TRANSACTION     EVENT",
			"WHAT          PRINTED                                  TRANSACTION     EVENT",
			"WHAT          PRINTED                                                                      TRANSACTION     EVENT",
		}},
		{heads(RegisteredNames()), []string{
			"NAME               OWNER              REGISTRY       EXPIRES",
			"NAME                       OWNER                      REGISTRY       EXPIRES",
			"NAME                                         OWNER                                        REGISTRY       EXPIRES",
		}},
		{heads(Requests()), []string{
			"TIME      STATUS  REQUEST               TOOK (ms)      BYTES",
			"TIME      STATUS  REQUEST                               TOOK (ms)      BYTES",
			"TIME      STATUS  REQUEST                                                                   TOOK (ms)      BYTES",
		}},
		{heads(Bonds()), []string{
			"  BOND  STATUS      RATE       LOCKED (BTC)     LOCKED (STX)",
			" BOND  STATUS     RATE     LOCKED (BTC)    LOCKED (STX)    BEGINS    UNLOCKS",
			"  BOND  STATUS      RATE              LOCKED (BTC)            LOCKED (STX)      BEGINS     UNLOCKS",
		}},
		{heads(Signers()), []string{
			"SIGNER                             KEY",
			"SIGNER                                     KEY",
			"SIGNER                                                       KEY",
		}},
		{heads(Transactions()), []string{
			"WHAT                        SENDER            FEE  STATUS",
			"TRANSACTION    WHAT                         SENDER            FEE  STATUS",
			"TRANSACTION         WHAT                                          SENDER                    FEE  STATUS",
		}},
	} {
		for i, line := range of.drawn {
			if line != of.want[i] {
				t.Errorf("the columns are\n%s\nand should be\n%s", line, of.want[i])
			}
		}
	}
}
