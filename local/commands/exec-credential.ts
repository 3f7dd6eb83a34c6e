import { timeOf } from '#lib/machinery/time-at.ts';

const VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'] as const;

/**
 * The version of ExecCredential that the client requested in KUBERNETES_EXEC_INFO; v1 if it is unset. Throws TypeError for other versions.
 */
export function execVersion(info: string | undefined): (typeof VERSIONS)[number] {
  if (info === undefined || info === '') return VERSIONS[0];
  const asked: unknown = (JSON.parse(info) as { readonly apiVersion?: unknown } | null)?.apiVersion;
  const found = VERSIONS.find((version) => version === asked);
  if (found === undefined) throw new TypeError(`KUBERNETES_EXEC_INFO asks for ${JSON.stringify(asked)}`);
  return found;
}

/** The output of a credential plugin. `expires` is in milliseconds since 1970. */
export function execCredential(apiVersion: string, { token, expires }: { token: string; expires: number }): string {
  const expirationTimestamp = timeOf(expires);
  return `${JSON.stringify({ apiVersion, kind: 'ExecCredential', spec: {}, status: { expirationTimestamp, token } })}\n`;
}
