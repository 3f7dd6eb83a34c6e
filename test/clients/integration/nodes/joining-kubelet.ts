import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { Name, Pkcs10CertificateRequestGenerator, SubjectAlternativeNameExtension } from '@peculiar/x509';
import { ApiConnection, type Remote } from '#adapters/server/http/api-connection.ts';
import { apiClient } from '#lib/client/api-client.ts';
import type { Client } from '#lib/client/client.ts';
import { ALGORITHM, type KeyPair, privatePem } from '#lib/controllers/certificates/new-signer.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';
import { refOf } from '#test/support/controllers/refs.ts';
import { eventually } from '#test/support/eventually.ts';

const REQUESTS = { group: 'certificates.k8s.io', version: 'v1', resource: 'certificatesigningrequests' };

/** The subject and usages of a kubelet's certificate. `node` is a part of the common name. */
export interface AskedCertificate {
  readonly node: string;
  /** The DNS names and addresses of a serving certificate; empty for a client certificate. */
  readonly names?: readonly string[];
  readonly usages?: readonly string[];
}

export interface Requested {
  readonly name: string;
  readonly key: string;
}

/** A client that behaves like a kubelet: it uses HTTPS and its kubeconfig. `using` ends its connections. */
export class JoiningKubelet implements Disposable {
  readonly client: Client;
  readonly #connection: ApiConnection;

  constructor(remote: Remote) {
    this.#connection = new ApiConnection(remote);
    this.client = apiClient({ handle: (request) => this.#connection.handle(request), userAgent: 'kubelet' });
  }

  /** Posts a certificate request like client-go's, with a new P-256 key. Throws StatusError. */
  async ask({ node, names = [], usages }: AskedCertificate): Promise<Requested> {
    const isServing = names.length > 0;
    const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
    const subject = new Name([{ O: ['system:nodes'] }, { CN: [`system:node:${node}`] }]);
    const request = await Pkcs10CertificateRequestGenerator.create({
      name: subject,
      keys,
      signingAlgorithm: ALGORITHM,
      extensions: isServing ? [new SubjectAlternativeNameExtension(names.map(alternative))] : [],
    });
    const created = await this.client.create(REQUESTS, {
      kind: 'CertificateSigningRequest',
      apiVersion: 'certificates.k8s.io/v1',
      metadata: { generateName: 'csr-' },
      spec: {
        request: Buffer.from(request.toString('pem')).toString('base64'),
        signerName: `kubernetes.io/${isServing ? 'kubelet-serving' : 'kube-apiserver-client-kubelet'}`,
        usages: [...(usages ?? ['digital signature', isServing ? 'server auth' : 'client auth'])],
      },
    });
    return { name: nameOf(created), key: await privatePem(keys.privateKey) };
  }

  /** Waits until a request has its certificate. Throws the reason if it was denied. */
  async certificate({ name, key }: Requested): Promise<KeyPair> {
    let request: JsonObject | undefined;
    await eventually(async () => {
      request = await this.client.get(refOf(REQUESTS, '', name));
      return text(at(request, 'status'), 'certificate') !== '' || refusalOf(request) !== undefined;
    });
    const refusal = refusalOf(request);
    if (refusal !== undefined) throw new Error(refusal);
    return { certificate: Buffer.from(text(at(request, 'status'), 'certificate'), 'base64').toString(), key };
  }

  [Symbol.dispose](): void {
    this.#connection[Symbol.dispose]();
  }
}

const alternative = (value: string) => ({ type: /^[\d.]+$|:/.test(value) ? ('ip' as const) : ('dns' as const), value });

/** Why a request was denied or failed; undefined if neither happened. */
const refusalOf = (request: JsonObject | undefined): string | undefined =>
  items(at(request, 'status'), 'conditions')
    .filter((condition) => ['Denied', 'Failed'].includes(text(condition, 'type')))
    .map((condition) => `${text(condition, 'type')} ${text(condition, 'reason')}: ${text(condition, 'message')}`)[0];
