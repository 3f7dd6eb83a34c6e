// Runs in the network namespace of a pod. It is a server that echoes (`serve PORT`), or a client (`talk ADDRESS PORT`) that sends each line
// of its input and prints the reply. A client first prints "connected", or "refused" after a second without a response.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';

const [role = '', address = '', port = ''] = process.argv.slice(2);

if (role === 'serve') {
  createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(Number(address), () =>
    console.log('ready'),
  );
} else {
  const socket = connect(Number(port), address).on('error', () => {});
  const silence = setTimeout(() => {
    console.log('refused');
    process.exit();
  }, 1000);
  await once(socket, 'connect');
  clearTimeout(silence);
  console.log('connected');
  socket.setEncoding('utf8').on('data', (text) => process.stdout.write(text));
  for await (const line of createInterface({ input: process.stdin })) socket.write(`${line}\n`);
  process.exit();
}
