import type { Command } from 'commander';
import { signingKey, verificationKey } from '#lib/authentication/key.ts';
import { defined } from '#lib/machinery/defined.ts';
import { parseDuration } from '#lib/machinery/duration.ts';
import { listed } from './listed.ts';
import type { StartOptions } from '../start-options.ts';
import { namedFile } from '../named-file.ts';
import { messageOf, StartFault } from '../start-fault.ts';

/** Upstream's flags of service accounts' tokens. */
export interface ServiceAccountFlags {
  readonly serviceAccountIssuer: readonly string[];
  readonly serviceAccountKeyFile: readonly string[];
  readonly serviceAccountSigningKeyFile?: string;
  readonly serviceAccountJwksUri?: string;
  readonly serviceAccountMaxTokenExpiration?: string;
  readonly apiAudiences: readonly string[];
}

/** Adds the flags to the command. */
export function serviceAccountFlags(command: Command): Command {
  return command
    .option(
      '--service-account-issuer <texts>',
      'issuers of tokens: the first signs new ones, all are accepted',
      listed,
      [],
    )
    .option('--service-account-key-file <paths>', 'keys that verify tokens, PEM; requires a signing key', listed, [])
    .option(
      '--service-account-signing-key-file <path>',
      'the key that signs tokens, PEM; default: one that the server makes',
    )
    .option('--service-account-jwks-uri <url>', 'the URL of the keys in the discovery document')
    .option('--service-account-max-token-expiration <duration>', 'the maximum lifetime of a token')
    .option('--api-audiences <texts>', 'audiences of tokens for this server (default: the issuers)', listed, []);
}

/** Reads the flags. Throws StartFault that names the problem. */
export async function serviceAccountsOf(flags: ServiceAccountFlags): Promise<Pick<StartOptions, 'serviceAccounts'>> {
  const { serviceAccountSigningKeyFile: signing, serviceAccountKeyFile: files, apiAudiences: audiences } = flags;
  if (signing === undefined && files.length > 0)
    throw new StartFault('--service-account-key-file needs --service-account-signing-key-file');
  if (signing !== undefined && files.length === 0)
    throw new StartFault('--service-account-key-file must be specified with --service-account-signing-key-file');
  const issuers = issuersOf(flags);
  const maxExpirationSeconds = expirationOf(flags.serviceAccountMaxTokenExpiration);
  return {
    serviceAccounts: {
      ...defined({ issuers }),
      ...(signing === undefined ? {} : await keysIn(signing, files)),
      ...(audiences.length === 0 ? {} : { audiences }),
      ...defined({ jwksUri: flags.serviceAccountJwksUri, maxExpirationSeconds }),
    },
  };
}

function issuersOf({ serviceAccountIssuer }: ServiceAccountFlags): readonly [string, ...string[]] | undefined {
  for (const [i, issuer] of serviceAccountIssuer.entries()) {
    if (issuer.includes(':') && !URL.canParse(issuer))
      throw new StartFault(`service-account-issuer ${JSON.stringify(issuer)} contained a ':' but was not a valid URL`);
    if (serviceAccountIssuer.indexOf(issuer) !== i)
      throw new StartFault(`service-account-issuer ${JSON.stringify(issuer)} is already specified`);
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
    throw new StartFault(`--service-account-max-token-expiration: ${messageOf(error)}`);
  }
  throw new StartFault('the service-account-max-token-expiration must be between 1 hour and 2^32 seconds');
}

const PEM = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]+?-----END \1-----/g;

async function keysIn(signing: string, files: readonly string[]) {
  const [key = ''] = await pemsIn(signing, (pem) => signingKey(pem));
  const others = await Promise.all(files.map((file) => pemsIn(file, (pem) => verificationKey(pem))));
  return { signingKey: key, verificationKeys: others.flat() };
}

/** The keys of a file, each tried; what stands between them is not read. */
async function pemsIn(path: string, tried: (pem: string) => unknown): Promise<string[]> {
  const text = await namedFile(path);
  const pems = [...text.matchAll(PEM)].map(([pem]) => pem).filter((pem) => !pem.startsWith('-----BEGIN EC PARAMETERS'));
  try {
    if (pems.length === 0) throw new TypeError('data does not contain any valid RSA or ECDSA public keys');
    for (const pem of pems) tried(pem);
  } catch (error) {
    throw new StartFault(`${path}: ${messageOf(error)}`);
  }
  return pems;
}
