import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FRONT_DOORS, parseContext } from '../context.ts';
import { CLIENT_AUTHORITY, templateOf } from '../testing.ts';
import { clientAuthorityFile } from './client-authority.ts';

const admin = 'arn:aws:iam::123456789012:role/Admin';
const DOMAIN = 'api.example.com';
const ACM = 'acm:us-east-1:123456789012:certificate/0a1b';
const OWN = { domain: DOMAIN, certificate: `arn:aws:${ACM}` };

/** The walk-through of docs/deploy.md, for each front door. */
describe.each(FRONT_DOORS)('a custom domain with the front door %s', (frontDoor) => {
  const context = { frontDoor, ...OWN, clientAuthority: CLIENT_AUTHORITY };

  test('has the certificate, verifies clients, and is the endpoint in the outputs', () => {
    const template = templateOf(context);
    expect(template.findOutputs('Endpoint')).toMatchObject({ Endpoint: { Value: `https://${DOMAIN}` } });
    expect(Object.values(template.findOutputs('*', { Description: `what ${DOMAIN} must be a CNAME of` }))).toHaveLength(
      1,
    );
    if (frontDoor === 'rest') {
      template.hasResourceProperties('AWS::ApiGateway::DomainName', {
        DomainName: DOMAIN,
        MutualTlsAuthentication: {},
      });
      template.hasResourceProperties('AWS::ApiGateway::RestApi', { DisableExecuteApiEndpoint: true });
      return;
    }
    template.resourceCountIs('AWS::CloudFront::TrustStore', 1);
    template.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: { Aliases: [DOMAIN], ViewerMtlsConfig: { Mode: 'optional' } },
    });
  });
});

test('the client CA ships with the reconcilers, which publish it', () => {
  const file = clientAuthorityFile(parseContext({ admin, ...OWN, clientAuthority: CLIENT_AUTHORITY }));
  expect(file.text()?.trim()).toBe(readFileSync(CLIENT_AUTHORITY, 'utf8').trim());
  expect(clientAuthorityFile(parseContext({ admin })).text()).toBeUndefined();
});

test.each([
  ['none.pem', 'context clientAuthority: none.pem: ENOENT'],
  [import.meta.filename, 'data does not contain any valid RSA or ECDSA certificates'],
])('the file %s fails the synthesis with one line', (clientAuthority, message) => {
  const read = () => clientAuthorityFile(parseContext({ admin, ...OWN, clientAuthority }));
  expect(read).toThrow(expect.objectContaining({ name: 'ContextError', message: expect.stringContaining(message) }));
});
