import { aggregate } from '#lib/machinery/validation/field.ts';
import { aesCbc, aesGcm } from './aes.ts';
import {
  type EncryptionConfiguration,
  type Key,
  type Provider,
  parseEncryptionConfiguration,
} from './configuration.ts';
import type { TransformerOf } from './encrypted-store.ts';
import { groupResourceText, parseGroupResource } from './group-resource.ts';
import { compressingTransformer } from './sealed-body.ts';
import { secretbox } from './secretbox.ts';
import { identity, type PrefixTransformer, prefixTransformers, type Transformer } from './transformer.ts';
import { validateEncryptionConfiguration } from './validate.ts';

type Kms = NonNullable<Provider['kms']>;

/** Creates the transformer for a KMS provider of the file. Throws TypeError for an unknown provider. */
export type EnvelopeOf = (kms: Kms) => Transformer;

/** Parses an EncryptionConfiguration. Throws TypeError with upstream's text if it is invalid. */
export function encryptionOf(text: string, envelopeOf: EnvelopeOf): TransformerOf {
  const configuration = parseEncryptionConfiguration(text);
  const errors = validateEncryptionConfiguration(configuration);
  if (errors.length > 0) throw new TypeError(aggregate(errors));
  const byResource = new Map<string, Transformer>();
  for (const [name, providers] of providersByResource(configuration)) {
    const all = providers.map((provider) => prefixTransformer(provider, envelopeOf));
    byResource.set(name, prefixTransformers('no matching prefix found', all));
  }
  return ({ group, resource }) =>
    byResource.get(groupResourceText({ group, resource })) ??
    byResource.get(groupResourceText({ group, resource: '*' })) ??
    byResource.get('*.*');
}

/** Later entries for a resource add their providers. An entry after a wildcard that covers it would have no effect. */
function providersByResource({ resources }: EncryptionConfiguration): Map<string, Provider[]> {
  const all = new Map<string, Provider[]>();
  for (const { resources: names, providers } of resources) {
    for (const { group, resource } of names.map(parseGroupResource)) {
      const name = groupResourceText({ group, resource });
      for (const wildcard of [groupResourceText({ group, resource: '*' }), '*.*'])
        if (all.has(wildcard))
          throw new TypeError(`resource ${JSON.stringify(name)} is masked by earlier rule ${JSON.stringify(wildcard)}`);
      all.set(name, [...(all.get(name) ?? []), ...providers]);
    }
  }
  return all;
}

function prefixTransformer(provider: Provider, envelopeOf: EnvelopeOf): PrefixTransformer {
  const { aesgcm, aescbc, kms } = provider;
  if (provider.identity !== undefined) return { prefix: '', transformer: identity };
  if (kms !== undefined)
    return {
      prefix: `k8s:enc:kms:${kms.apiVersion}:${kms.name}:`,
      transformer: compressingTransformer(envelopeOf(kms)),
    };
  if (aesgcm !== undefined) return { prefix: 'k8s:enc:aesgcm:v1:', transformer: byKey('AES', aesgcm.keys, aesGcm) };
  if (aescbc !== undefined) return { prefix: 'k8s:enc:aescbc:v1:', transformer: byKey('AES', aescbc.keys, aesCbc) };
  const keys = provider.secretbox?.keys ?? [];
  return { prefix: 'k8s:enc:secretbox:v1:', transformer: byKey('Secretbox', keys, secretbox) };
}

function byKey(name: string, keys: readonly Key[], cipher: (secret: Uint8Array) => Transformer): Transformer {
  const all = keys.map((key) => ({
    prefix: `${key.name}:`,
    transformer: compressingTransformer(cipher(Buffer.from(key.secret, 'base64'))),
  }));
  return prefixTransformers(`no matching key was found for the provided ${name} transformer`, all);
}
