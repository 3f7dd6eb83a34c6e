import { YamlError } from './error.ts';

/** Decodes the bytes to text. Throws YamlError where upstream's reader stops. */
export function readText(bytes: Uint8Array): string {
  let decoded: string;
  try {
    decoded = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw new YamlError('yaml: invalid leading UTF-8 octet');
    throw error;
  }
  // oxlint-disable-next-line no-control-regex
  if (/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/.test(decoded)) {
    throw new YamlError('yaml: control characters are not allowed');
  }
  return decoded;
}
