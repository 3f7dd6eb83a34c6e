import { parseDuration } from '#lib/machinery/duration.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { type FieldError, FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
import type { EncryptionConfiguration, Key, Provider } from './configuration.ts';
import { parseGroupResource } from './group-resource.ts';

const AES_KEYS = [16, 24, 32];
const SECRETBOX_KEYS = [32];
const NOT_SERVED = ['apiserveripinfo', 'serviceipallocations', 'servicenodeportallocations'];

const atLeastOne = (what: unknown): string => `at least one ${String(what)} is required`;

/** Upstream's ValidateEncryptionConfiguration. No message contains a secret. */
export function validateEncryptionConfiguration({ resources }: EncryptionConfiguration): FieldError[] {
  const root = FieldPath.of('resources');
  if (resources.length === 0) return [required(root, atLeastOne(root))];
  const kmsNames = new Set<string>();
  return resources.flatMap(({ resources: names, providers }, i) => {
    const [r, p] = [root.index(i).child('resources'), root.index(i).child('providers')];
    return [
      ...(names.length === 0 ? [required(r, atLeastOne(r))] : []),
      ...overlapErrors(names, r),
      ...names.flatMap((name, j) => nameErrors(name, r.index(j))),
      ...(providers.length === 0 ? [required(p, atLeastOne(p))] : []),
      ...providers.flatMap((provider, j) => providerErrors(provider, p.index(j), kmsNames)),
    ];
  });
}

function overlapErrors(names: readonly string[], path: FieldPath): FieldError[] {
  const all = names.map(parseGroupResource);
  const pairs = all.flatMap((a, i) => all.filter((_, j) => i !== j).map((b) => [a, b] as const));
  const isSame = pairs.some(([a, b]) => a.group === b.group && a.resource === b.resource);
  const overlaps = pairs.some(([a, b]) => {
    if (a.group === b.group && a.resource === b.resource) return false;
    if (a.group === '*' && a.resource === '*') return true;
    return a.group === b.group && (a.resource === '*' || b.resource === '*');
  });
  const masked =
    "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked";
  return [
    ...(isSame ? [invalid(path, names, 'the same resource cannot be specified multiple times')] : []),
    ...(overlaps ? [invalid(path, names, masked)] : []),
  ];
}

function nameErrors(name: string, path: FieldPath): FieldError[] {
  const fault = nameFault(name);
  return fault === undefined ? [] : [invalid(path, name, fault)];
}

function nameFault(name: string): string | undefined {
  const { group, resource } = parseGroupResource(name);
  if (name.toLowerCase() !== name) return 'resource name should not contain capital letters';
  if (name === '*') return "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources";
  if (NOT_SERVED.includes(name)) return 'resources which do not have REST API/s cannot be encrypted';
  if (group === 'events.k8s.io')
    return "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file";
  if (group === 'extensions') return "'extensions' group has been removed and cannot be used for encryption";
  if (group === '*' && resource !== '*') return 'encrypting the same resource across groups is not supported';
  return undefined;
}

function providerErrors(provider: Provider, path: FieldPath, kmsNames: Set<string>): FieldError[] {
  const { kms, aesgcm, aescbc, secretbox } = provider;
  const named = Object.keys(provider);
  const none = 'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity';
  const several = 'more than one provider specified in a single element, should split into different list elements';
  return [
    ...(named.length === 0 ? [invalid(path, {}, none)] : []),
    ...(named.length > 1 ? [invalid(path, named, several)] : []),
    ...(kms === undefined ? [] : kmsErrors(kms, path.child('kms'), kmsNames)),
    ...(aesgcm === undefined ? [] : keysErrors(aesgcm.keys, path.child('aesgcm', 'keys'), AES_KEYS)),
    ...(aescbc === undefined ? [] : keysErrors(aescbc.keys, path.child('aescbc', 'keys'), AES_KEYS)),
    ...(secretbox === undefined ? [] : keysErrors(secretbox.keys, path.child('secretbox', 'keys'), SECRETBOX_KEYS)),
  ];
}

function keysErrors(keys: readonly Key[], path: FieldPath, lengths: readonly number[]): FieldError[] {
  if (keys.length === 0) return [required(path, atLeastOne('keys'))];
  return keys.flatMap((key, i) => keyErrors(key, path.index(i), lengths));
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function keyErrors({ name, secret }: Key, path: FieldPath, lengths: readonly number[]): FieldError[] {
  const nameless = name === '' ? [required(path.child('name'), 'name is a mandatory field for a key')] : [];
  const at = path.child('secret');
  if (secret === '') return [...nameless, required(at, 'secret is a mandatory field for a key')];
  if (!BASE64.test(secret)) return [...nameless, invalid(at, 'REDACTED', 'secrets must be base64 encoded')];
  const { length } = Buffer.from(secret, 'base64');
  if (lengths.includes(length)) return nameless;
  const expected = `secret is not of the expected length, got ${length}, expected one of [${lengths.join(' ')}]`;
  return [...nameless, invalid(at, 'REDACTED', expected)];
}

function kmsErrors(kms: NonNullable<Provider['kms']>, path: FieldPath, known: Set<string>): FieldError[] {
  const { name, apiVersion, cachesize } = kms;
  const isFirst = apiVersion === 'v1';
  const at = path.child('name');
  const repeated = known.has(name) && !isFirst;
  known.add(name);
  return [
    ...(name === '' ? [required(at, 'name is a mandatory field for a provider')] : []),
    ...(!isFirst && name.includes(':')
      ? [invalid(at, name, `invalid KMS provider name ${name}, must not contain ':'`)]
      : []),
    ...(repeated ? [invalid(at, name, `duplicate KMS provider name ${name}, names must be unique`)] : []),
    ...timeoutErrors(kms.timeout, path.child('timeout')),
    ...endpointErrors(kms.endpoint, path.child('endpoint')),
    ...(!isFirst && cachesize !== undefined
      ? [invalid(path.child('cachesize'), cachesize, 'cachesize is not supported in v2')]
      : []),
    ...(isFirst && cachesize === 0
      ? [invalid(path.child('cachesize'), 0, 'cachesize should be a positive value, or negative to disable')]
      : []),
    ...(isFirst || apiVersion === 'v2'
      ? []
      : [
          invalid(
            path.child('apiVersion'),
            apiVersion,
            'unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported',
          ),
        ]),
  ];
}

function timeoutErrors(timeout: string, path: FieldPath): FieldError[] {
  try {
    if (parseDuration(timeout) > 0n) return [];
  } catch (error) {
    return [invalid(path, timeout, messageOfError(error))];
  }
  return [invalid(path, timeout, 'timeout should be a positive value')];
}

function endpointErrors(endpoint: string, path: FieldPath): FieldError[] {
  if (endpoint === '') return [invalid(path, '', 'endpoint is a mandatory field for a kms')];
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(endpoint)?.[1]?.toLowerCase() ?? '';
  if (scheme === 'unix') return [];
  return [
    invalid(path, endpoint, `unsupported scheme ${JSON.stringify(scheme)} for KMS provider, only unix is supported`),
  ];
}
