import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

export const hex = bytesToHex;
export const unhex = hexToBytes;
