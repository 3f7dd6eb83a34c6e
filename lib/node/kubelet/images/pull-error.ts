import { KubeletError } from '../container/sync-result.ts';

/** Errors that a runtime reports with a prefix in its text (cri-api: pkg/errors), with upstream's messages. */
const KNOWN = [
  ['RegistryUnavailable', 'the registry is unavailable'],
  ['SignatureValidationFailed', 'the signature validation failed'],
] as const;

/** The error for a failed pull from the runtime's text (upstream: evalCRIPullErr). */
export function pullError(image: string, text: string): KubeletError {
  for (const [reason, why] of KNOWN)
    if (text.startsWith(reason))
      return new KubeletError(reason, `image pull failed for ${image} because ${why}${text.slice(reason.length)}`);
  return new KubeletError('ErrImagePull', text);
}
