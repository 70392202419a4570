// Whom a page asks for its own address.
import { createSocket } from "node:dgram";

/** A STUN server on this machine (RFC 8489). It tells everybody an address that is nobody's: what is found there, it has told. */
export async function stunServer() {
  const COOKIE = 0x2112a442, TOLD = [192, 0, 2, 7];
  const socket = createSocket("udp4");
  let requests = 0;
  socket.on("message", (request, { address, port }) => {
    const isBinding = request.length >= 20 && request.readUInt16BE(0) === 0x0001 && request.readUInt32BE(4) === COOKIE;
    if (!isBinding) return;
    requests += 1;
    const answer = Buffer.alloc(32);
    answer.writeUInt16BE(0x0101, 0); // the answer to a binding request,
    answer.writeUInt16BE(12, 2); // with twelve bytes behind its head,
    request.copy(answer, 4, 4, 20); // under the same number:
    answer.writeUInt32BE(0x00200008, 20); // XOR-MAPPED-ADDRESS,
    answer.writeUInt16BE(0x0001, 24); // of IPv4.
    answer.writeUInt16BE(port ^ (COOKIE >>> 16), 26);
    answer.writeUInt32BE((Buffer.from(TOLD).readUInt32BE() ^ COOKIE) >>> 0, 28);
    socket.send(answer, port, address);
  });
  await new Promise((done) => socket.bind(0, "127.0.0.1", done));
  return { url: `stun:127.0.0.1:${socket.address().port}`, told: TOLD.join("."), requests: () => requests, stop: () => socket.close() };
}
