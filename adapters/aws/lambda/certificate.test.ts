import { beforeAll, expect, test } from 'vitest';
import type { ClientCertificate } from '#lib/server/authentication/authenticator.ts';
import { vouchedCertificate } from '#lib/server/authentication/vouched-certificate.ts';
import { newAuthority } from '#local/certs.ts';
import { functionUrlRequest } from './function-url.ts';
import { type RestEvent, restRequest } from './rest.ts';
import { functionUrlEvent, restEvent } from './testing.ts';

const SECRET = 'a-secret-of-the-origin';
const ports = {
  signal: () => new AbortController().signal,
  vouched: (headers: Readonly<Record<string, string | undefined>>) => vouchedCertificate(headers, SECRET),
};
let pem = '';
beforeAll(async () => {
  const authority = await newAuthority(new Date());
  pem = (await authority.issue({ name: 'amy', organizations: ['ops'] })).certificate;
});

const brief = (certificate: ClientCertificate | undefined) =>
  certificate && [certificate.commonName, certificate.signedBy];
const told = (secret: string) =>
  ({
    target: '/',
    headers: [
      ['CloudFront-Viewer-Cert-Present', '1'],
      ['CloudFront-Viewer-Cert-Pem', encodeURIComponent(pem)],
      ['X-Davit-Origin', secret],
    ],
  }) as const;

/** The event of a gateway after it verified the client's certificate. */
function verified(event: RestEvent): RestEvent {
  const { requestContext } = event;
  return {
    ...event,
    requestContext: { ...requestContext, identity: { ...requestContext.identity, clientCert: { clientCertPem: pem } } },
  };
}

test.each<[string, () => ClientCertificate | undefined, unknown]>([
  ['that the gateway verified', () => rest(verified(restEvent({ target: '/' }))), ['amy', ['client']]],
  ['that a distribution vouches for, at a REST API', () => rest(restEvent(told(SECRET))), ['amy', ['client']]],
  ['that a distribution vouches for, at a function URL', () => url(told(SECRET)), ['amy', ['client']]],
  ['in bare headers, at a REST API', () => rest(restEvent(told('another'))), ['', []]],
  ['in bare headers, at a function URL', () => url(told('another')), ['', []]],
  ['that is absent', () => url({ target: '/' }), undefined],
])('checks a client certificate %s', (_, shown, want) => {
  expect(brief(shown())).toEqual(want);
});

const rest = (event: RestEvent) => restRequest(event, ports).connection?.clientCertificate;
const url = (sent: Parameters<typeof functionUrlEvent>[0]) =>
  functionUrlRequest(functionUrlEvent(sent), ports).connection?.clientCertificate;
