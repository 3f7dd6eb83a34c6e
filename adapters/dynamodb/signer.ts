import type { AwsCredentials } from '#lib/authentication/aws/presign.ts';
import { scopeText, sha256, signatureOf, signingKey, timeOf, type Scope } from '#lib/authentication/aws/signature.ts';
import type { Service } from './service.ts';

export interface Sent {
  /** The operation, with the version of the protocol. */
  readonly target: string;
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly signedAt: number;
}

/** Signs what is sent to one service. */
export class Signer {
  readonly #service: Service;
  #key: { readonly of: string; readonly key: Buffer } | undefined;

  constructor(service: Service) {
    this.#service = service;
  }

  /** All headers of the request. Throws what the provider of credentials throws. */
  async headers({ target, body, signedAt }: Sent): Promise<Record<string, string>> {
    const { endpoint, region } = this.#service;
    const credentials = await this.#service.credentials();
    const scope = { time: timeOf(signedAt), region, service: 'dynamodb' };
    const signed = signedHeaders({ host: endpoint.host, time: scope.time, target, token: credentials.sessionToken });
    const names = Object.keys(signed).join(';');
    const lines = Object.entries(signed).map(([name, value]) => `${name}:${value}\n`);
    const canonical = ['POST', endpoint.pathname, '', lines.join(''), names, sha256(body)].join('\n');
    const signature = signatureOf(canonical, scope, this.#signingKey(credentials, scope));
    return {
      ...signed,
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'davit',
      authorization: `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scopeText(scope)}, SignedHeaders=${names}, Signature=${signature}`,
    };
  }

  /** Good for a day. */
  #signingKey({ secretAccessKey }: AwsCredentials, scope: Scope): Buffer {
    const of = `${secretAccessKey} ${scopeText(scope)}`;
    if (this.#key?.of !== of) this.#key = { of, key: signingKey(secretAccessKey, scope) };
    return this.#key.key;
  }
}

interface Told {
  readonly host: string;
  readonly time: string;
  readonly target: string;
  readonly token: string | undefined;
}

/** In the order of their names, as a signature wants them. */
const signedHeaders = ({ host, time, target, token }: Told): Record<string, string> => ({
  'content-type': 'application/x-amz-json-1.0',
  host,
  'x-amz-date': time,
  ...(token === undefined ? {} : { 'x-amz-security-token': token }),
  'x-amz-target': target,
});
