/** Instead of a page whose file did not arrive: it is requested again with the document. */
export const Unloaded = () => (
  <>
    <h1>This page could not be loaded</h1>
    <div class="failure">
      <p role="alert">
        Its file did not arrive. Perhaps the connection broke, or the gateway was updated while the explorer
        was open.
      </p>
      <p class="again">
        <button type="button" onClick={() => location.reload()}>
          Load it again
        </button>
      </p>
    </div>
  </>
);
