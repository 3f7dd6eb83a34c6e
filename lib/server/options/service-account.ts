import { defined } from '#lib/machinery/defined.ts';
import { parseDuration } from '#lib/machinery/duration.ts';
import { signingKey, verificationKey } from '#lib/server/authentication/key.ts';
import type { ServiceAccountKeys } from '#lib/server/authentication/service-account/identity.ts';
import { type Files, lineOf, OptionError, readAs } from './files.ts';

/** Upstream's flags for service account tokens. */
export interface ServiceAccountFlags {
  readonly serviceAccountIssuer: readonly string[];
  readonly serviceAccountKeyFile: readonly string[];
  readonly serviceAccountSigningKeyFile?: string;
  readonly serviceAccountJwksUri?: string;
  readonly serviceAccountMaxTokenExpiration?: string;
  readonly apiAudiences: readonly string[];
}

/** Reads the flags. Throws OptionError that names the problem. */
export function serviceAccountsOf(
  flags: ServiceAccountFlags,
  files: Files,
): { readonly serviceAccounts: Partial<ServiceAccountKeys> } {
  const { serviceAccountSigningKeyFile: signing, serviceAccountKeyFile: keyFiles, apiAudiences: audiences } = flags;
  if (signing === undefined && keyFiles.length > 0)
    throw new OptionError('--service-account-key-file needs --service-account-signing-key-file');
  if (signing !== undefined && keyFiles.length === 0)
    throw new OptionError('--service-account-key-file must be specified with --service-account-signing-key-file');
  const issuers = issuersOf(flags);
  const maxExpirationSeconds = expirationOf(flags.serviceAccountMaxTokenExpiration);
  return {
    serviceAccounts: {
      ...defined({ issuers }),
      ...(signing === undefined ? {} : keysIn(signing, keyFiles, files)),
      ...(audiences.length === 0 ? {} : { audiences }),
      ...defined({ jwksUri: flags.serviceAccountJwksUri, maxExpirationSeconds }),
    },
  };
}

function issuersOf({ serviceAccountIssuer }: ServiceAccountFlags): readonly [string, ...string[]] | undefined {
  for (const [i, issuer] of serviceAccountIssuer.entries()) {
    if (issuer.includes(':') && !URL.canParse(issuer))
      throw new OptionError(`service-account-issuer ${JSON.stringify(issuer)} contained a ':' but was not a valid URL`);
    if (serviceAccountIssuer.indexOf(issuer) !== i)
      throw new OptionError(`service-account-issuer ${JSON.stringify(issuer)} is already specified`);
  }
  const [first, ...rest] = serviceAccountIssuer;
  return first === undefined ? undefined : [first, ...rest];
}

const HOUR = 3600;

function expirationOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  try {
    const seconds = Number(parseDuration(text) / 1_000_000_000n);
    if (seconds === 0) return undefined;
    if (seconds >= HOUR && seconds <= 2 ** 32) return seconds;
  } catch (error) {
    throw new OptionError(`--service-account-max-token-expiration: ${lineOf(error)}`);
  }
  throw new OptionError('the service-account-max-token-expiration must be between 1 hour and 2^32 seconds');
}

const PEM = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]+?-----END \1-----/g;

function keysIn(signing: string, keyFiles: readonly string[], files: Files) {
  const [key = ''] = pemsIn(signing, files, (pem) => signingKey(pem));
  return {
    signingKey: key,
    verificationKeys: keyFiles.flatMap((path) => pemsIn(path, files, (pem) => verificationKey(pem))),
  };
}

/** The keys in a file, each checked with `tried`. Any text between them is ignored. */
const pemsIn = (path: string, files: Files, tried: (pem: string) => unknown): string[] =>
  readAs(files, path, (text) => {
    const pems = [...text.matchAll(PEM)]
      .map(([pem]) => pem)
      .filter((pem) => !pem.startsWith('-----BEGIN EC PARAMETERS'));
    if (pems.length === 0) throw new TypeError('data does not contain any valid RSA or ECDSA public keys');
    for (const pem of pems) tried(pem);
    return pems;
  });
