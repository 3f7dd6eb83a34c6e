import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDuration, parseTimestamp } from '#lib/api/cel/values/time.ts';
import { parseDeclaration } from '#lib/client/controller/declaration.ts';
import { decodeMessage } from '#lib/client/controller/delivery.ts';
import { parseConfig } from '#lib/machinery/config/config.ts';
import { parseWebhookDeclaration } from '#lib/sdk/webhook-sdk/declaration.ts';
import { parseLooseDuration } from '#lib/server/apiextensions/cel/duration.ts';
import { parsePolicy } from '#lib/server/audit/parse-policy.ts';
import { parsePrincipal } from '#lib/server/authentication/aws/arn.ts';
import { parseIdentityMap } from '#lib/server/authentication/aws/identity-map-file.ts';
import { parseConfiguration } from '#lib/server/authentication/configuration.ts';
import { parseJwt } from '#lib/server/authentication/jwt.ts';
import { parseTokenFile } from '#lib/server/authentication/token-file.ts';
import { parsePolicyFile } from '#lib/server/authorization/abac/policy-file.ts';
import { BackupError, parseLine } from '#lib/server/backup/line.ts';
import { parseCron } from '#lib/server/registry/kinds/batch/cron.ts';
import { DerError, readElement } from '#lib/server/registry/kinds/certificates/der.ts';
import { decoded, WebhookError } from '#lib/server/webhook/answer.ts';
import { decodeContinue } from '#lib/storage/continue.ts';
import { parseEncryptionConfiguration } from '#lib/storage/encryption/configuration.ts';
import { StoreError } from '#lib/storage/errors.ts';

/** Texts from an operator, a client or another program. Some of them pass a decoder's first check. */
const near = (alphabet: string): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ unit: fc.constantFrom(...alphabet.split(' ')), maxLength: 24 }),
    fc.string({ unit: 'binary', maxLength: 24 }),
    fc.json(),
  );

/** A document of the kind with members that are valid, invalid or unknown. */
const document = (header: object, ...fields: readonly string[]): fc.Arbitrary<string> =>
  fc
    .dictionary(fc.constantFrom(...fields, '__proto__'), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 4 })
    .map((body) => JSON.stringify({ ...body, ...header }));

const kind = (apiVersion: string, name: string): object => ({ apiVersion, kind: name });
const base64url = (text: string): string => Buffer.from(text).toString('base64url');
const jwt = fc.tuple(fc.json(), fc.json(), fc.string()).map((parts) => parts.map(base64url).join('.'));
const token = fc.json().map((text) => Buffer.from(text).toString('base64url'));
const der = (text: string): unknown => readElement(Buffer.from(text, 'latin1'));

/** A decoder, its input texts, and the only error that it may throw. */
type Row = [string, fc.Arbitrary<string>, (text: string) => unknown, (new (...args: never[]) => Error)?];

const DECODERS: readonly Row[] = [
  ['a JWT', fc.oneof(jwt, near('. a e30 - _')), parseJwt],
  ['a principal of AWS', near('arn: aws :: iam sts 123456789012 : assumed-role/ role/ user/ root a /'), parsePrincipal],
  ['a file of tokens', near('a , " "" \n # \r\n'), parseTokenFile, TypeError],
  ['a map of identities', document({}, 'mapRoles', 'mapUsers', 'audience'), parseIdentityMap, TypeError],
  [
    'an AuthenticationConfiguration',
    document(kind('apiserver.config.k8s.io/v1', 'AuthenticationConfiguration'), 'jwt', 'anonymous'),
    parseConfiguration,
    TypeError,
  ],
  ['a policy of ABAC', near('{ } " : spec user * \n # a ,'), parsePolicyFile, TypeError],
  [
    'a policy of the audit log',
    document(kind('audit.k8s.io/v1', 'Policy'), 'rules', 'omitStages', 'omitManagedFields'),
    parsePolicy,
    TypeError,
  ],
  [
    'an EncryptionConfiguration',
    document(kind('apiserver.config.k8s.io/v1', 'EncryptionConfiguration'), 'resources'),
    parseEncryptionConfiguration,
    TypeError,
  ],
  [
    'a file of flags',
    document(kind('davit.dev/v1', 'Config'), 'port', 'host'),
    (text) => parseConfig(text, []),
    TypeError,
  ],
  [
    'a line of an export',
    document({}, 'davit', 'format', 'sequence', 'version', 'key', 'object'),
    parseLine,
    BackupError,
  ],
  ['a message of a queue', document({}, 'reconciler', 'cluster', 'name', 'attempt'), decodeMessage, TypeError],
  [
    'a declaration of a reconciler',
    document({}, 'name', 'for', 'owns', 'watches'),
    (text) => parseDeclaration(JSON.parse(text)),
    TypeError,
  ],
  [
    'a declaration of a webhook',
    document({}, 'name', 'type', 'rules'),
    (text) => parseWebhookDeclaration(JSON.parse(text)),
    TypeError,
  ],
  ['a continue token', token, (text) => decodeContinue('main//pods/', text), StoreError],
  ['an answer of a webhook', near('{ } [ ] " : a - \n kind'), (text) => decoded(Buffer.from(text)), WebhookError],
  ['an element of a certificate', near('0 \u0002 \u0080 \u0082 \u00ff \u0000 a'), der, DerError],
  ['a schedule', near('* / , - 1 59 99 @daily @every TZ= UTC MON ? L 1h'), parseCron],
  ['a timestamp of CEL', near('2026-11-22 T 00:00:00 Z . 9 + -01:00 0000 9999'), parseTimestamp],
  ['a duration of CEL', near('1 9 . - + h m s ms us ns'), parseDuration],
  ['a duration of a format', near('1 9 . - days weeks h ns sec 99999999999999999999'), parseLooseDuration],
];

/** Matches V8's messages for programming errors, and an empty message. */
const OWN_FAULT = /^$|^Cannot |is not (a function|iterable|a constructor|defined)|of (undefined|null)\b/;

test.each<Row>(DECODERS)('%s is either accepted or rejected, whatever its content', (_, texts, decode, refusal) => {
  fc.assert(
    fc.property(texts, (text) => {
      try {
        decode(text);
      } catch (error) {
        if (refusal === undefined || !(error instanceof refusal)) throw error;
        expect(error.message).not.toMatch(OWN_FAULT);
      }
    }),
    { numRuns: 500 },
  );
});
