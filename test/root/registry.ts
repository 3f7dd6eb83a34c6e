import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configOf, digest, layerOf, type TestImage } from './images.ts';

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const CONFIG = 'application/vnd.oci.image.config.v1+json';
const LAYER = 'application/vnd.oci.image.layer.v1.tar';
const PATH = /^\/v2\/(?<repository>.+)\/(?<kind>manifests|blobs)\/(?<reference>[^/]+)$/;

interface Content {
  readonly type: string;
  readonly bytes: Buffer;
}

/** An OCI registry on loopback, which containerd contacts without TLS. Repositories below `private/` require a login. */
export class Registry implements AsyncDisposable {
  static readonly login = { username: 'puller', password: 'hidden-in-a-login' };
  /** The requests so far, one per line: `GET tag private/tool:1`. */
  readonly requests: string[] = [];
  readonly #contents = new Map<string, Content>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  static async start(): Promise<Registry> {
    const registry = new Registry();
    await once(registry.#server.listen(0, '127.0.0.1'), 'listening');
    return registry;
  }

  /** Its address, such as `127.0.0.1:40000`. */
  get host(): string {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? `127.0.0.1:${address.port}` : '';
  }

  /** The number of requests for the manifest of an image. */
  pulls(name: string): number {
    return this.requests.filter((one) => one === name).length;
  }

  /** Adds an image, such as `private/tool:1`. Returns its name on this machine. */
  add(image: TestImage): string {
    const folder = mkdtempSync(join(tmpdir(), 'davit-layer-'));
    const layer = readFileSync(layerOf(image, join(folder, 'files'), join(folder, 'layer.tar')));
    const config = Buffer.from(configOf(image, layer));
    const manifest = Buffer.from(
      JSON.stringify({
        schemaVersion: 2,
        mediaType: MANIFEST,
        config: { mediaType: CONFIG, digest: `sha256:${digest(config)}`, size: config.length },
        layers: [{ mediaType: LAYER, digest: `sha256:${digest(layer)}`, size: layer.length }],
      }),
    );
    this.#contents.set(image.name, { type: MANIFEST, bytes: manifest });
    for (const bytes of [manifest, config, layer])
      this.#contents.set(`sha256:${digest(bytes)}`, {
        type: bytes === manifest ? MANIFEST : 'application/octet-stream',
        bytes,
      });
    return `${this.host}/${image.name}`;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { repository = '', reference = '' } = PATH.exec(request.url ?? '')?.groups ?? {};
    const key = reference.startsWith('sha256:') ? reference : `${repository}:${reference}`;
    if (repository.startsWith('private/') && request.headers.authorization !== authorization()) {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="tests"' }).end();
      return;
    }
    this.requests.push(key);
    const content = this.#contents.get(key);
    if (content === undefined) {
      response.writeHead(404).end();
      return;
    }
    const { bytes, type } = content;
    response.writeHead(200, {
      'Content-Type': type,
      'Content-Length': bytes.length,
      'Docker-Content-Digest': `sha256:${digest(bytes)}`,
    });
    response.end(request.method === 'HEAD' ? undefined : bytes);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

function authorization(): string {
  const { username, password } = Registry.login;
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
