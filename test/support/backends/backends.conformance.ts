import { describe } from 'vitest';
import { Bench, type Start } from './bench.ts';
import { ends } from './ending.ts';
import { givesLogs } from './logs.ts';
import { proxies } from './proxies.ts';
import { streams } from './streams.ts';
import { saysWhyNot } from './unreachable.ts';
import { webSockets } from './web-sockets.ts';

/** The shared suite for every composition of the API server that reaches kubelets. */
export function backendsConformance(name: string, start: Start): void {
  describe(`${name} reaches kubelets`, () => {
    const on = new Bench(start);
    givesLogs(on);
    webSockets(on);
    saysWhyNot(on);
    proxies(on);
    streams(on);
    ends(start);
  });
}
