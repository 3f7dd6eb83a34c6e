import { KubeletError } from '../container/sync-result.ts';

/** Errors that a runtime tells by the beginning of its text (cri-api: pkg/errors), and what upstream says of them. */
const KNOWN = [
  ['RegistryUnavailable', 'the registry is unavailable'],
  ['SignatureValidationFailed', 'the signature validation failed'],
] as const;

/** The failure of a pull by the runtime's text (upstream: evalCRIPullErr). */
export function pullError(image: string, text: string): KubeletError {
  for (const [reason, why] of KNOWN)
    if (text.startsWith(reason))
      return new KubeletError(reason, `image pull failed for ${image} because ${why}${text.slice(reason.length)}`);
  return new KubeletError('ErrImagePull', text);
}
