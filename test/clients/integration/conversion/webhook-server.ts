import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Authority } from '#lib/controllers/certificates/issue.ts';
import {
  arrayAt,
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  ownField,
  stringAt,
} from '#lib/machinery/json-value.ts';
import { newAuthority } from '#local/certs.ts';

/** Sends an invalid response instead of `answer`, or none. */
export type Misbehaviour = (response: ServerResponse, answer: JsonObject) => void;

export function send(response: ServerResponse, value: Json): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(value));
}

/** Between v1 (spec.hostPort) and v2 (spec.host and spec.port). */
export function converted(object: JsonObject, apiVersion: string): JsonObject {
  const spec = objectAt(object, 'spec') ?? {};
  const kept = spec['replicas'] === undefined ? {} : { replicas: spec['replicas'] };
  if (apiVersion.endsWith('/v2')) {
    const [host = '', port = ''] = (stringAt(spec, 'hostPort') ?? '').split(':');
    return { ...object, apiVersion, spec: { host, port, ...kept } };
  }
  const hostPort = `${stringAt(spec, 'host') ?? ''}:${stringAt(spec, 'port') ?? ''}`;
  return { ...object, apiVersion, spec: { hostPort, extra: 'of no schema', ...kept } };
}

/** The correct response to a ConversionReview. */
export function answered(review: JsonObject): JsonObject {
  const request = objectAt(review, 'request');
  const desired = stringAt(request, 'desiredAPIVersion') ?? '';
  const convertedObjects = arrayAt(request, 'objects')
    .filter(isObject)
    .map((object) => converted(object, desired));
  const response = { uid: ownField(request, 'uid') ?? null, convertedObjects, result: { status: 'Success' } };
  return { kind: 'ConversionReview', apiVersion: 'apiextensions.k8s.io/v1', response };
}

/** A conversion webhook over HTTPS, as its authors would run it. */
export class WebhookServer implements AsyncDisposable {
  readonly authority: Authority;
  readonly #server: Server;
  /** The number of objects in each call. */
  readonly calls: number[] = [];
  misbehave: Misbehaviour | undefined;

  private constructor(authority: Authority, certificate: { certificate: string; key: string }) {
    this.authority = authority;
    this.#server = createServer({ cert: certificate.certificate, key: certificate.key }, (request, response) => {
      void this.#answer(request, response);
    });
  }

  static async start(): Promise<WebhookServer> {
    const authority = await newAuthority(new Date());
    const certificate = await authority.issue({ name: 'hook' }, ['127.0.0.1', 'hook.default.svc']);
    const server = new WebhookServer(authority, certificate);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get caBundle(): string {
    return Buffer.from(this.authority.certificate).toString('base64');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const review = JSON.parse(Buffer.concat(chunks).toString()) as JsonObject;
    this.calls.push(arrayAt(objectAt(review, 'request'), 'objects').length);
    const answer = answered(review);
    if (this.misbehave === undefined) send(response, answer);
    else this.misbehave(response, answer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
