// Derives, with other people's libraries, the keys that the wallet claims to have.
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import * as btc from '@scure/btc-signer';
import { getAddressFromPublicKey } from '@stacks/transactions';
import { hex } from './hex.mjs';

export const mnemonic = 'abandon '.repeat(11) + 'about';

const root = HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic));

export const bitcoinNetwork = network => (network === 'mainnet' ? btc.NETWORK : btc.TEST_NETWORK);

export function account(index, network) {
  const coin = network === 'mainnet' ? 0 : 1;
  const stacks = root.derive(`m/44'/5757'/0'/0/${index}`);
  const segwit = root.derive(`m/84'/${coin}'/${index}'/0/0`);
  const taproot = root.derive(`m/86'/${coin}'/${index}'/0/0`);
  const net = bitcoinNetwork(network);
  return {
    stacks: {
      publicKey: hex(stacks.publicKey),
      privateKey: hex(stacks.privateKey) + '01',
      address: getAddressFromPublicKey(stacks.publicKey, network === 'mainnet' ? 'mainnet' : 'testnet'),
    },
    p2wpkh: { privateKey: segwit.privateKey, publicKey: segwit.publicKey, ...btc.p2wpkh(segwit.publicKey, net) },
    p2tr: { privateKey: taproot.privateKey, publicKey: taproot.publicKey, ...btc.p2tr(taproot.publicKey.slice(1), undefined, net) },
  };
}
