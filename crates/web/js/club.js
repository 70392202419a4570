// Requests to the club of the server.

// The status of the response, and its bytes. Fails if there is no response within `patience` milliseconds.
export const request = async (verb, address, body, patience) => {
  const answer = await fetch(address, { method: verb, body: body.length ? body : undefined, signal: AbortSignal.timeout(patience) });
  return [answer.status, new Uint8Array(await answer.arrayBuffer())];
};
