import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { defined } from '#lib/machinery/defined.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { type Context, ContextError } from '../context.ts';

/**
 * The environment variables that configure how an API server reaches kubelets. Empty if no network of nodes is configured. Throws
 * ContextError, one line.
 */
export function kubeletEnvironment({
  nodeCidrs,
  kubeletAuthority,
  kubeletAddressTypes,
  kubeletTimeout,
}: Context): Readonly<Record<string, string>> {
  if (nodeCidrs === undefined) return {};
  return {
    DAVIT_NODE_ROUTE: 'true',
    ...(kubeletAuthority === undefined
      ? {}
      : { DAVIT_KUBELET_CERTIFICATE_AUTHORITY: certificatesIn(kubeletAuthority) }),
    ...defined({
      DAVIT_KUBELET_PREFERRED_ADDRESS_TYPES: kubeletAddressTypes,
      DAVIT_KUBELET_TIMEOUT: kubeletTimeout,
    }),
  };
}

function certificatesIn(path: string): string {
  try {
    const text = readFileSync(path, 'utf8');
    new X509Certificate(text); // the first certificate
    return text;
  } catch (error) {
    const why = messageOfError(error);
    throw new ContextError(`context kubeletAuthority: ${path}: ${why}`, { cause: error });
  }
}
