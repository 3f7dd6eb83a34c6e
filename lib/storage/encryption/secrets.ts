import type { Clock } from '#lib/machinery/clock.ts';
import type { TransformerOf } from './encrypted-store.ts';
import { type KeyManagement, kmsEnvelope } from './kms.ts';
import { compressingTransformer } from './sealed-body.ts';
import { identity, prefixTransformers } from './transformer.ts';

/** The KMS encryption context that binds the data keys of a control plane. */
export const keyContext = (clusterId: string): Readonly<Record<string, string>> => ({ 'davit.dev/cluster': clusterId });

/** Encrypts Secrets before they reach the table and its log. Every function that reads or writes them uses the same transformer. */
export function secretsUnder(kms: KeyManagement | undefined, clock: Clock): TransformerOf {
  if (kms === undefined) return () => undefined;
  const secrets = prefixTransformers('no matching prefix found', [
    { prefix: 'k8s:enc:kms:v2:aws:', transformer: compressingTransformer(kmsEnvelope(kms, clock)) },
    { prefix: '', transformer: identity },
  ]);
  return ({ group, resource }) => (group === '' && resource === 'secrets' ? secrets : undefined);
}
