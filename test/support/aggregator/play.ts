import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { selfSigned } from '#lib/controllers/certificates/new-signer.ts';
import { newAuthority } from '#local/certs.ts';
import { type Requester, requester } from '#test/support/requester.ts';
import { startBackend } from './backend.ts';
import { CASES } from './cases.ts';
import { type Documents, documents } from './documents.ts';
import { type Aggregator, type Exchange, exchange, masker } from './exchange.ts';
import { type Condition, conditions, register } from './services.ts';

/** An aggregator's responses to every case, and the conditions of the APIServices. */
export interface Played {
  readonly conditions: Readonly<Record<string, Condition>>;
  readonly exchanges: readonly Exchange[];
  readonly documents: Documents;
}

/**
 * Registers the tests' APIServices at an empty server, and sends every case. The server's token must belong to a user in system:masters.
 */
export async function play(server: Omit<Aggregator, 'robot'>): Promise<Played> {
  const { url, token: adminToken, certificateAuthority = '' } = server;
  const reached = { url, adminToken, certificateAuthority };
  const send = requester(reached);
  const { body } = await send('GET', '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication');
  const { 'requestheader-client-ca-file': clientAuthority = '' } = body['data'] as Record<string, string>;
  const authority = await newAuthority(new Date());
  const { root: other } = await selfSigned('CN=other', new Date());
  const { certificate: cert, key } = await authority.issue({ name: 'api' }, ['api.default.svc']);
  await using backend = await startBackend({ cert, key, clientAuthority });
  const closed = await closedPort();
  await register(send, {
    port: backend.port,
    closedPort: closed,
    authority: authority.certificate,
    otherAuthority: other.toString('pem'),
  });
  const aggregator = { ...server, robot: await robotOf(send) };
  const masked = masker(aggregator, backend);
  const found = await conditions(send);
  const exchanges: Exchange[] = [];
  for (const it of CASES) exchanges.push(await exchange(aggregator, backend, it));
  const ofClosed = masker(aggregator, { port: closed });
  const text = ofClosed(masked(JSON.stringify(found)));
  return {
    conditions: JSON.parse(text) as Played['conditions'],
    exchanges,
    documents: await documents(reached),
  };
}

/** A token of the service account `default/robot`. */
async function robotOf(send: Requester): Promise<string> {
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await send('POST', accounts, { metadata: { name: 'robot' } });
  const { body } = await send('POST', `${accounts}/robot/token`, { spec: { audiences: [], expirationSeconds: 3600 } });
  const { token } = body['status'] as { token: string };
  return token;
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
