import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock as clock } from '#adapters/clock.ts';
import { FileStore } from '#adapters/node/host/records/certificate-store.ts';
import { ensureServingFiles, readServingFiles, type ServingFiles } from '#adapters/node/host/records/serving-files.ts';
import { NodeListener } from '#adapters/node/node-server/node-listener.ts';
import { type Authorities, authoritiesOf, connectionOf } from '#adapters/server/http/connection.ts';
import type { NodeAddress } from '#lib/api/types/core.v1.ts';
import type { KeyPair } from '#lib/controllers/certificates/new-signer.ts';
import { rotateCertificates } from '#lib/node/kubelet/certificate/client-certificate.ts';
import { servingNames } from '#lib/node/kubelet/certificate/serving-names.ts';
import { buildAuth } from '#lib/node/kubelet/server/build-auth.ts';
import { tlsSettings } from '#lib/node/kubelet/server/tls-settings.ts';
import type { NodeConnection } from './connection.ts';
import type { Log } from './log.ts';
import type { AgentOptions } from './options.ts';
import { requestHandler, type ServedParts } from './server.ts';

const { random } = Math;
/** Interval in ms between reads of certificate files. */
const LOOK = 10_000;

/** The inputs of the node's port. */
export interface ServingInputs {
  readonly options: AgentOptions;
  readonly connection: NodeConnection;
  readonly log: Log;
  /** Returns the current parts for each request. */
  readonly parts: () => ServedParts;
  /** The addresses of the node, which its serving certificate must cover. Empty until they are known. */
  addresses(): readonly NodeAddress[];
}

/**
 * Serves the port of the kubelet until the signal aborts, if the options enable it. Its certificate comes from files or from the API
 * server, or the agent creates one. Rejects if it cannot listen, and for invalid settings.
 */
export async function servePort(inputs: ServingInputs, signal: AbortSignal): Promise<void> {
  const { options, connection, log, parts } = inputs;
  const { configuration, node } = options;
  const onFault = log.fault('cannot answer a request to the node');
  const { client } = connection;
  const permit = buildAuth({ node, configuration, client, clock, onFault: log.fault('a client is refused') });
  let authorities: Authorities = new Map();
  await using listener = await NodeListener.listen({
    address: configuration.address,
    port: configuration.port,
    tls: tlsSettings(configuration),
    handle: requestHandler(configuration, { parts, permit: () => permit }),
    onFault,
    certificateOf: (socket) => connectionOf(socket, authorities).clientCertificate,
  });
  const certificates = new ServingCertificates(inputs, (pair, clientCA) => {
    listener.use({ pair, clientCA });
    authorities = authoritiesOf({ client: clientCA, proxy: '' });
  });
  await certificates.start();
  log.info(`the node serves port ${listener.port}`);
  await certificates.run(signal);
}

/** The certificate that the node serves, and the CAs of its clients. Both can change. */
class ServingCertificates {
  readonly #inputs: ServingInputs;
  readonly #use: (pair: KeyPair | undefined, clientCA: string) => void;
  readonly #store: FileStore;
  #pair: KeyPair | undefined;
  #clientCA = '';
  #applied = '';

  /** `use` throws for an invalid pair. */
  constructor(inputs: ServingInputs, use: (pair: KeyPair | undefined, clientCA: string) => void) {
    this.#inputs = inputs;
    this.#use = use;
    this.#store = new FileStore(inputs.options.certDir, () => clock.now(), 'kubelet-server');
  }

  /** Rejects if files cannot be read or contain no certificates. */
  async start(): Promise<void> {
    const { certDir, node, configuration } = this.#inputs.options;
    const { serverTLSBootstrap, tlsCertFile, tlsPrivateKeyFile } = configuration;
    if (serverTLSBootstrap) this.#pair = await this.#store.current();
    else if (tlsCertFile === '' && tlsPrivateKeyFile === '')
      await ensureServingFiles(ownFiles(certDir), node, new Date(clock.now()));
    await this.#look();
  }

  /** Keeps the certificate and the CAs current until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { options, connection, log, addresses } = this.#inputs;
    const asked = { node: options.node, store: this.#store, clock, random, client: connection.client };
    const rotated = (pair: KeyPair): void => {
      this.#pair = pair;
      this.#apply();
      log.info('the serving certificate is in use');
    };
    const onFault = log.fault('cannot get a serving certificate');
    const serving = () => servingNames(addresses());
    const { serverTLSBootstrap } = options.configuration;
    await Promise.all([
      this.#follow(signal),
      serverTLSBootstrap ? rotateCertificates({ ...asked, serving, rotated, onFault }, signal) : undefined,
    ]);
  }

  /** Reads the files again at each interval. If they are invalid, the previous certificates stay in use. */
  async #follow(signal: AbortSignal): Promise<void> {
    for (;;) {
      await clock.sleep(LOOK, signal);
      if (signal.aborted) return;
      await this.#look().catch(this.#inputs.log.fault('cannot use the files of certificates'));
    }
  }

  async #look(): Promise<void> {
    const { certDir, configuration } = this.#inputs.options;
    const { clientCAFile } = configuration.authentication.x509;
    if (clientCAFile !== '') this.#clientCA = await readFile(clientCAFile, 'utf8');
    const { serverTLSBootstrap, tlsCertFile: certFile, tlsPrivateKeyFile: keyFile } = configuration;
    const isOwn = certFile === '' && keyFile === '';
    if (!serverTLSBootstrap) this.#pair = await readServingFiles(isOwn ? ownFiles(certDir) : { certFile, keyFile });
    this.#apply();
  }

  #apply(): void {
    const all = JSON.stringify([this.#pair, this.#clientCA]);
    if (all === this.#applied) return;
    this.#use(this.#pair, this.#clientCA);
    this.#applied = all;
  }
}

/** The serving files with upstream's names. */
const ownFiles = (certDir: string): ServingFiles => ({
  certFile: join(certDir, 'kubelet.crt'),
  keyFile: join(certDir, 'kubelet.key'),
});
