import { connect } from 'node:net';
import { joinHostPort } from '#lib/machinery/net/host-port.ts';
import { failed, type ProbeOutcome, succeeded } from '#lib/node/kubelet/prober/outcome.ts';
import type { TcpProber } from '#lib/node/kubelet/prober/ports.ts';
import { faultText } from '#lib/server/webhook/fault-text.ts';

/** Opens a connection and closes it at once. */
export const tcpProber: TcpProber = {
  connect: (host, port, timeout) =>
    new Promise<ProbeOutcome>((resolve) => {
      const socket = connect({ host, port });
      const end = (outcome: ProbeOutcome): void => {
        clearTimeout(late);
        socket.destroy();
        resolve(outcome);
      };
      const late = setTimeout(() => end(failed(`dial tcp ${joinHostPort(host, port)}: i/o timeout`)), timeout);
      socket.once('connect', () => end(succeeded('')));
      socket.on('error', (error) =>
        end(failed(faultText(error, { connect: { host, port }, serverName: host }, false))),
      );
    }),
};
