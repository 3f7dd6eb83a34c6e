import { messageOfError } from '#lib/machinery/error-message.ts';
import { trimImageTagDigest } from '../image-reference.ts';

/** Decides which images on the node a pod may use without its own credentials (upstream: imagePullCredentialsVerificationPolicy). */
export type VerificationPolicy =
  | 'NeverVerify'
  | 'NeverVerifyPreloadedImages'
  | 'NeverVerifyAllowlistedImages'
  | 'AlwaysVerify';

/** Whether a pod needs credentials for an image on the node. `pulled` means that this agent pulled it, so it was not preloaded. */
export type RequiresVerification = (image: string, pulled: boolean) => boolean;

/** The rule of a policy. Throws Error with upstream's text for an invalid pattern in the allowlist. */
export function verificationPolicy(
  policy: VerificationPolicy,
  allowlist: readonly string[] = [],
): RequiresVerification {
  switch (policy) {
    case 'NeverVerify':
      return () => false;
    case 'NeverVerifyPreloadedImages':
      return (_, pulled) => pulled;
    case 'NeverVerifyAllowlistedImages':
      return allowlisted(allowlist);
    case 'AlwaysVerify':
      return () => true;
  }
}

function allowlisted(patterns: readonly string[]): RequiresVerification {
  const allowed = patterns.map(allowlistPattern);
  const names = new Set(allowed.filter((pattern) => !pattern.endsWith('/')));
  const prefixes = allowed.filter((pattern) => pattern.endsWith('/'));
  return (image) => {
    const name = nameOf(image);
    return !names.has(name) && !prefixes.some((prefix) => name.startsWith(prefix));
  };
}

function nameOf(image: string): string {
  try {
    return trimImageTagDigest(image);
  } catch {
    return image;
  }
}

/** An image name, or a prefix that ends with a slash: `registry.io/team/*`. */
function allowlistPattern(pattern: string): string {
  if (pattern !== pattern.trim()) throw new Error(`leading/trailing spaces are not allowed: ${pattern}`);
  const isWildcard = pattern.endsWith('/*');
  const trimmed = isWildcard ? pattern.slice(0, -1) : pattern;
  if (trimmed === '') throw new Error(`the supplied pattern is too short: ${pattern}`);
  if (trimmed.includes('*'))
    throw new Error(`not a valid wildcard pattern, only patterns ending with '/*' are allowed: ${pattern}`);
  if (isWildcard && trimmed === '/') throw new Error('at least registry hostname is required');
  if (!isWildcard && parsedName(trimmed) !== trimmed)
    throw new Error(`neither tag nor digest is accepted in an image reference: ${pattern}`);
  return trimmed;
}

function parsedName(image: string): string {
  try {
    return trimImageTagDigest(image);
  } catch (cause) {
    throw new Error(`failed to parse as an image name: ${messageOfError(cause)}`, { cause });
  }
}
