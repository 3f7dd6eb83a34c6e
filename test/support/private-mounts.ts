import { skipUnless } from './skip.ts';

/**
 * Options for a test that mounts. It runs as root in its own mount namespace, which DAVIT_PRIVATE_MOUNTS indicates, so that no mount
 * outlives it.
 */
export const privateMounts = () =>
  skipUnless(
    process.getuid?.() === 0 && process.env['DAVIT_PRIVATE_MOUNTS'] !== undefined,
    'mounts need root and DAVIT_PRIVATE_MOUNTS=1 in a mount namespace (unshare --mount)',
  );
