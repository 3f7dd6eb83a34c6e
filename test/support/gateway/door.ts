import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { kubeconfigOf } from '#lib/helpers/clientcmd/new-kubeconfig.ts';
import { newAuthority } from '#local/certs.ts';
import { onLoopback } from '#test/support/loopback.ts';

/** HTTPS in front of a server that listens on loopback without TLS. */
export interface Door extends AsyncDisposable {
  readonly url: string;
  /** The certificate of the door's own authority, PEM. */
  readonly certificate: string;
  /** A kubeconfig file for the front door, with the token. */
  readonly kubeconfig: string;
}

/** The server behind a door, and the token of its user. */
export interface Behind {
  readonly port: number;
  readonly token: string;
  /** Whether WebSockets are supported, as by CloudFront. Function URLs and REST APIs support no upgrade. */
  readonly passesWebSockets: boolean;
}

/** Opens a front door. An unsupported upgrade arrives as a plain request. */
export async function openDoor({ port, token, passesWebSockets }: Behind): Promise<Door> {
  const authority = await newAuthority(new Date());
  const { certificate: cert, key } = await authority.issue({ name: 'door' }, ['127.0.0.1']);
  const shouldUpgradeCallback = ({ headers }: IncomingMessage): boolean =>
    passesWebSockets && headers.upgrade?.toLowerCase() === 'websocket';
  const upgraded = new Set<Duplex>(); // node's server no longer closes these itself
  const server = createServer({ cert, key, shouldUpgradeCallback }, (request, response) => {
    const { upgrade: _, connection: __, ...headers } = request.headers;
    const { method, url } = request;
    const onward = httpRequest({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    }).on('error', () => response.destroy());
    request.pipe(onward);
  }).on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const inner = connect(port, '127.0.0.1', () => {
      inner.write(headOf(request));
      inner.write(head);
    });
    upgraded.add(socket);
    socket.once('close', () => upgraded.delete(socket));
    socket.on('error', () => inner.destroy()).pipe(inner);
    inner.on('error', () => socket.destroy()).pipe(socket);
  });
  const listening = await onLoopback(server);
  const url = `https://127.0.0.1:${listening.port}`;
  const folder = mkdtempSync(join(tmpdir(), 'davit-door-'));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(
    kubeconfig,
    kubeconfigOf({ name: 'door', server: url, authority: authority.certificate, user: { token } }),
    { mode: 0o600 },
  );
  return {
    url,
    certificate: authority.certificate,
    kubeconfig,
    async [Symbol.asyncDispose]() {
      for (const socket of upgraded) socket.destroy(new Error('the door closes'));
      await listening.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function headOf({ method, url, rawHeaders }: IncomingMessage): string {
  const lines = rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${rawHeaders[i + 1] ?? ''}`] : []));
  return [`${method ?? ''} ${url ?? ''} HTTP/1.1`, ...lines, '', ''].join('\r\n');
}
