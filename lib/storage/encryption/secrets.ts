import type { Clock } from '#lib/machinery/clock.ts';
import type { TransformerOf } from './encrypted-store.ts';
import { type KeyManagement, kmsEnvelope } from './kms.ts';
import { compressingTransformer } from './sealed-body.ts';
import { identity, prefixTransformers } from './transformer.ts';

/** The KMS encryption context, which binds data keys to one control plane. */
export const keyContext = (clusterId: string): Readonly<Record<string, string>> => ({ 'davit.dev/cluster': clusterId });

/**
 * Creates the transformer that encrypts Secrets before they reach the table and its log. Every function that reads or writes Secrets uses
 * the same one.
 */
export function secretsUnder(kms: KeyManagement | undefined, clock: Clock): TransformerOf {
  if (kms === undefined) return () => undefined;
  const secrets = prefixTransformers('no matching prefix found', [
    { prefix: 'k8s:enc:kms:v2:aws:', transformer: compressingTransformer(kmsEnvelope(kms, clock)) },
    { prefix: '', transformer: identity },
  ]);
  return ({ group, resource }) => (group === '' && resource === 'secrets' ? secrets : undefined);
}
